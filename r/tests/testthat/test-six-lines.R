# The lines of the page and of the vignette, as a user types them.
six_lines <- function() {
  page <- Sys.getenv("PALMTOP_R_PAGE", testthat::test_path("..", "..", "..", "docs", "r.md"))
  skip_if(!file.exists(page), paste(page, "is not here"))
  lines <- readLines(page, encoding = "UTF-8")
  start <- which(lines == "library(palmtop)")[[1]]
  end <- which(startsWith(lines, "```"))
  lines[start:(end[end > start][[1]] - 1)]
}

run_in <- function(folder, lines, frames) {
  old <- setwd(folder)
  on.exit(setwd(old))
  names <- list2env(frames, parent = globalenv())
  quiet(eval(parse(text = lines, encoding = "UTF-8"), names))
  names
}

expect_documents <- function(folder) {
  for (name in c("signer.html", "recipient.html")) {
    path <- file.path(folder, name)
    expect_match(paste(readLines(path, encoding = "UTF-8"), collapse = "\n"), "VERIFIED")
    expect_equal(format(file.mode(path)), "600")
  }
}

test_that("six lines lead from a data frame to a verified release and both reports", {
  skip_without_program()
  tables <- palmtop_example()
  lines <- c(
    "library(palmtop)",
    'roles <- c(patient = "identifier", diagnosis = "sensitive")',
    'release <- palmtop_anonymize(patients, register, "1/5", roles = roles)',
    "stopifnot(palmtop_verify(release))",
    'palmtop_report(release, "signer.html", reader = "signer")',
    'palmtop_report(release, "recipient.html", reader = "recipient")'
  )
  folder <- local_folder()
  names <- run_in(folder, lines, tables)
  expect_true(isTRUE(as.logical(names$release$verdict)))
  expect_equal(nrow(names$release$frame), 100)
  expect_documents(folder)
})

test_that("the six lines of the page do so, too", {
  skip_without_program()
  lines <- six_lines()
  expect_length(lines, 6)
  folder <- local_folder()
  names <- run_in(folder, lines, palmtop_example())
  expect_true(isTRUE(as.logical(names$release$verdict)))
  expect_documents(folder)
})
