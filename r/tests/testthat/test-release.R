test_that("a release has its frame, its verdict and its cautions", {
  skip_without_program()
  tables <- palmtop_example()
  caught <- character()
  release <- withCallingHandlers(
    palmtop_anonymize(tables$patients, tables$register, 0.2, roles = roles),
    palmtop_caution = function(caution) {
      caught <<- c(caught, conditionMessage(caution))
      invokeRestart("muffleWarning")
    }
  )
  expect_true(isTRUE(as.logical(release$verdict)))
  expect_equal(caught, caution_texts(release$cautions))
  expect_true("knows_member" %in% release$cautions$key)
  expect_false("patient" %in% names(release$frame))
  expect_s3_class(release$frame$diagnosis, "factor")
  expect_equal(sort(table(as.character(release$frame$diagnosis))),
               sort(table(as.character(tables$patients$diagnosis))))
  expect_output(print(release), "VERIFIED: a faithful release, presence 0 to 1/5")
  expect_output(print(release), "Not verified:")
})

test_that("a changed file is not verified, and an unchanged one is", {
  skip_without_program()
  release <- example_release()
  folder <- local_folder()
  file <- palmtop_write(release, file.path(folder, "out.csv"))
  expect_true(isTRUE(as.logical(palmtop_verify(file, project = release$project))))
  expect_error(palmtop_write(release, file), class = "palmtop_usage_error")
  lines <- readLines(file, encoding = "UTF-8")
  lines[[2]] <- sub("[a-z ]+$", "pneumonia!", lines[[2]])
  writeLines(lines, file, useBytes = TRUE)
  verdict <- palmtop_verify(file, project = release$project)
  expect_false(as.logical(verdict))
  expect_output(print(verdict), "NOT verified: this file is not a faithful release")
  expect_error(stopifnot(verdict))
  expect_error(palmtop_verify(release$frame, project = release$project),
               class = "palmtop_usage_error")
})

test_that("a faithful file that breaks delta is not verified", {
  skip_without_program()
  verdict <- palmtop_verify(example_release(), "1/20")
  expect_false(as.logical(verdict))
  expect_true(attr(verdict, "result")$faithful)
  expect_output(print(verdict), "NOT verified: a faithful release that breaks presence")
})

test_that("without a release there is an error of its own class", {
  skip_without_program()
  tables <- palmtop_example()
  anonymize <- function(delta, ...) {
    quiet(palmtop_anonymize(tables$patients, tables$register, delta, "spalm", ...))
  }
  error <- expect_error(anonymize("1/1000", roles = roles), class = "palmtop_no_release")
  expect_equal(error$reason, "infeasible")
  expect_equal(error$status, 3L)
  expect_s3_class(error, "palmtop_policy_failure")
  expect_error(anonymize("1/5", roles = roles, policy = list(k = 101)),
               class = "palmtop_no_release")
  error <- expect_error(anonymize("1/5", roles = roles["patient"]),
                        class = "palmtop_unanswered_cautions")
  expect_equal(error$cautions$key, "undecided")
  reason <- c("undecided:diagnosis" = "This is a test without real people.")
  release <- anonymize("1/5", roles = roles["patient"], accept = reason)
  expect_true(reason[[1]] %in% release$cautions$accepted)
})

test_that("delta must be decided", {
  skip_without_program()
  tables <- palmtop_example()
  project <- quiet(palmtop_init(tables$patients, tables$register, roles))
  expect_error(palmtop_anonymize(project = project), "starting point",
               class = "palmtop_usage_error")
  quiet(palmtop_anonymize(project = project, delta = "1/5", strategy = "spalm"))
  expect_equal(decided_delta(project), c(min = "0", max = "1/5"))
  looser <- quiet(palmtop_anonymize(project = project, delta = "1/4", strategy = "n1"))
  expect_true("looser_delta" %in% looser$cautions$key)
  expect_true("earlier_release" %in% looser$cautions$key)
  expect_equal(looser$file, "release-2.csv")
  expect_match(format(looser$verdict), "1/4, which is LOOSER than the project's 0 to 1/5")
  expect_no_match(format(example_release()$verdict), "LOOSER")
})

test_that("errors have their fields", {
  skip_without_program()
  tables <- palmtop_example()
  project <- quiet(palmtop_init(tables$patients, tables$register, roles, "1/5"))
  project$text <- sub('role = "quasi"', 'rule = "quasi"', project$text, fixed = TRUE)
  error <- expect_error(palmtop_check(project = project), "unknown field", class = "palmtop_error")
  expect_equal(error$file, "project.toml")
  expect_equal(strsplit(project$text, "\n")[[1]][[error$line]], 'rule = "quasi"')
  short <- tables$register[1:100, ]
  error <- expect_error(quiet(palmtop_init(tables$patients, short, roles)), "not_in_public",
                        class = "palmtop_incomplete_project")
  expect_s3_class(error$project, "palmtop_project")
})

test_that("an error of a value has its row, its column and the value", {
  skip_without_program()
  tables <- palmtop_example()
  project <- quiet(palmtop_init(tables$patients, tables$register, roles, "1/5"))
  wrong <- tables$patients
  wrong$sex <- as.character(wrong$sex)
  wrong$sex[[7]] <- "no such sex"
  folder <- local_folder()
  path <- palmtop_save(project, folder)
  error <- expect_error(
    palmtop_check(project = palmtop_open(path, wrong, tables$register)), class = "palmtop_error"
  )
  expect_equal(
    list(error$table, error$line, error$column, error$value), list("T", 7L, "sex", "no such sex")
  )
  expect_true(nzchar(error$remedy))
})

test_that("progress is shown on request, and is no part of a message", {
  skip_without_program()
  tables <- palmtop_example()
  shown <- file.path(local_folder(), "shown.txt")
  options(palmtop.progress = TRUE)
  connection <- file(shown, "w")
  sink(connection, type = "message")
  project <- quiet(palmtop_init(tables$patients, tables$register, roles, "1/5"))
  sink(type = "message")
  close(connection)
  options(palmtop.progress = NULL)
  expect_match(paste(readLines(shown, warn = FALSE), collapse = ""), "reading .*%")
  expect_no_match(paste(project$questions, collapse = ""), "reading the p")
})

test_that("releases are measured and judged together", {
  skip_without_program()
  tables <- palmtop_example()
  project <- quiet(palmtop_init(tables$patients, tables$register, roles, "1/5",
                                policy = list(k = 2)))
  expect_true(as.logical(palmtop_check(project = project)))
  first <- quiet(palmtop_anonymize(project = project, strategy = "spalm"))
  second <- quiet(palmtop_anonymize(project = project, strategy = "n2"))
  expect_equal(names(palmtop_risk(first, second)),
               c("measure", "1-release.csv", "2-release-2.csv"))
  utility <- palmtop_utility(first)
  expect_equal(utility$release.csv[utility$measure == "rows"], "100")
  together <- palmtop_compose(first, second)
  expect_s3_class(together, "palmtop_composition")
  expect_output(print(together), "together|Together")
  classes <- palmtop_classes(second)
  expect_equal(sum(classes$private), 100)
  expect_equal(sum(classes$public), 2000)
  expect_true(all(classes$verdict == "ok"))
})

test_that("membership is that of the report", {
  skip_without_program()
  release <- example_release()
  membership <- palmtop_membership(release)
  exact <- stats::setNames(membership$exact, membership$measure)
  expect_equal(exact[["prior"]], "1/20")
  expect_equal(exact[["threshold"]], "1/5")
  expect_equal(exact[["bound: f1"]], "1/3")
  report <- palmtop_report(release)
  expect_equal(attr(membership, "result"), report$disclosures$membership)
  classes <- palmtop_classes(release)
  f1 <- max(2 * cumsum(classes$private) / (100 + cumsum(classes$public)))
  parts <- as.numeric(strsplit(exact[["attack: f1"]], "/")[[1]])
  expect_equal(parts[[1]] / parts[[2]], f1)
})

test_that("a second release keeps delta beside the first", {
  skip_without_program()
  tables <- palmtop_example()
  project <- quiet(palmtop_init(tables$patients, tables$register, roles, "1/5", limits = FALSE))
  first <- quiet(palmtop_anonymize(project = project, strategy = "spalm"))
  second <- quiet(palmtop_anonymize(project = project, strategy = "n2", beside = first))
  expect_true(as.logical(palmtop_compose(first, second)))
})

test_that("a saved release is verified by the program alone, and opened again", {
  skip_without_program()
  release <- example_release()
  folder <- file.path(local_folder(), "kept")
  palmtop_save(release, folder)
  modes <- format(file.mode(list.files(folder, full.names = TRUE, pattern = "[.]")))
  expect_true(all(modes == "600"))
  done <- processx::run(palmtop_program(), c("verify", "project.toml", "release.csv"), wd = folder)
  expect_match(done$stdout, "a faithful release")
  tables <- palmtop_example()
  project <- palmtop_open(file.path(folder, "project.toml"), tables$patients, tables$register)
  verdict <- palmtop_verify(file.path(folder, "release.csv"), project = project)
  expect_true(as.logical(verdict))
  expect_error(palmtop_save(release, folder), class = "palmtop_usage_error")
})

test_that("no temporary file is left", {
  skip_without_program()
  before <- list.files(tempdir(), "^palmtop-")
  example_release()
  expect_error(example_release(node = c(0, 0)))
  expect_equal(list.files(tempdir(), "^palmtop-"), before)
  modes <- with_folder(list(a = charToRaw("x")), function(folder) {
    c(format(file.mode(folder)), format(file.mode(file.path(folder, "a"))))
  })
  expect_equal(modes, c("700", "600"))
})
