#' Make a verified release
#'
#' Searches a release, writes it, and verifies the written file with a second run. Without a
#' release that keeps delta and the policy there is an error, and never a data frame.
#'
#' @inheritParams palmtop_init
#' @param delta delta: its maximum, or `c(minimum, maximum)`; by default that of the project. The
#'   first delta that is given becomes the project's.
#' @param strategy the search: `"simulatable"`, `"best"`, `"spalm"`, or another one of the program.
#' @param project a project of [palmtop_init()]; `private` and `public` may then be left out.
#' @param node levels of the quasi-identifiers, instead of a search.
#' @param metric,budget,seed options of the search. A budget is `"5s"`, `"40rounds"` or `"120steps"`.
#' @param accept answers to severe cautions: a named vector with a sentence for each caution, such
#'   as `c("undecided:dose" = "The board publishes the dose.")`.
#' @param beside an earlier release of the same T. Both together then keep delta.
#' @param file the name of the file in the reports; by default `release.csv`, `release-2.csv` and
#'   so on.
#' @return A release with
#'   \item{frame}{a data frame. Columns that are published unchanged have their classes again;
#'     levels of a factor that the release lacks are dropped. Generalized columns are texts.}
#'   \item{verdict}{the verdict of [palmtop_verify()].}
#'   \item{cautions}{a data frame of what the signer must know. Each caution is a warning, too.}
#'   \item{bytes, sha256}{the file that was verified, and its SHA-256.}
#'   \item{run}{how the release was made. For you, not for the recipient.}
#'   \item{project}{the project as it was then.}
#' @examples
#' if (nzchar(palmtop_program(required = FALSE))) {
#'   tables <- palmtop_example()
#'   roles <- c(patient = "identifier", diagnosis = "sensitive")
#'   release <- suppressWarnings(
#'     palmtop_anonymize(tables$patients, tables$register, "1/5", roles = roles)
#'   )
#'   head(release$frame)
#' }
#' @export
palmtop_anonymize <- function(private = NULL, public = NULL, delta = NULL,
                              strategy = "simulatable",
                              project = NULL, roles = NULL, policy = NULL, node = NULL,
                              metric = NULL, budget = NULL, seed = NULL,
                              accept = NULL, beside = NULL, file = NULL) {
  project <- project_of(private, public, project, roles, policy)
  options <- decide_or_options(project, delta)
  file <- new_name(project, file)
  arguments <- c("anonymize", project_file, "-o", file, "--with", "report", "--format", "json")
  arguments <- c(arguments, if (is.null(node)) paste0("--strategy=", strategy) else
    c("--node", paste(node, collapse = ",")))
  search <- list(metric = metric, budget = budget, seed = seed)
  for (name in names(search)) {
    value <- search[[name]]
    if (is.numeric(value)) value <- plain_number(value)
    if (!is.null(value)) arguments <- c(arguments, paste0("--", name, "=", value))
  }
  for (key in names(accept)) {
    arguments <- c(arguments, paste0("--accept=", key, "=", accept[[key]]))
  }
  earlier <- list()
  if (!is.null(beside)) {
    earlier[[paste0("earlier-", beside$file)]] <- beside$bytes
    arguments <- c(arguments, "--beside", names(earlier))
  }
  release <- structure(list(file = file, options = options), class = "palmtop_release")
  release <- with_folder(c(project_files(project), earlier), function(folder) {
    done <- run(folder, c(arguments, options))
    refuse_release(done)
    release$bytes <- read_bytes(file.path(folder, file))
    release$sha256 <- unname(sha256_of(folder, file))
    release$report <- read_bytes(file.path(folder, report_name(file)))
    history <- as.list(project$history)
    history[[history_file]] <- read_bytes(file.path(folder, history_file))
    project$history <- history
    release
  })
  release$run <- parse_json(text_of(release$report))
  if (!is.na(release$sha256) && release$sha256 != release$run$output_sha256) {
    palmtop_stop("the file is not the file that the program wrote and hashed",
                 c("palmtop_not_verified", "palmtop_policy_failure"))
  }
  release$sha256 <- release$run$output_sha256
  release$project <- copy_of(project)
  release$cautions <- cautions_of(release$run)
  release$verdict <- palmtop_verify(release)
  if (!release$verdict) {
    palmtop_stop(paste0(format(release$verdict), "\n", attr(release$verdict, "details")),
                 c("palmtop_not_verified", "palmtop_policy_failure"), verdict = release$verdict)
  }
  release$frame <- frame_of(release$bytes, project$tables$T %||% project$tables$P,
                            unchanged_columns(project))
  if (nrow(release$frame) != release$run$rows) {
    palmtop_stop("the data frame does not have the rows of the file", "palmtop_not_verified")
  }
  warn_of(caution_texts(release$cautions))
  release
}

#' Recount a release from the raw tables
#'
#' The verdict is `TRUE` if and only if the file is a faithful release of T, keeps delta and the
#' whole policy, and the program ended with the exit status 0. It can be used in `if` and
#' `stopifnot`. Print it to see what was verified, and what was not.
#'
#' @param release a release of [palmtop_anonymize()], or the path of a written file.
#' @param delta the delta that judges the file; by default that of the release or of the project.
#' @param project the project, if `release` is a path.
#' @return A logical with the class `palmtop_verdict` and the attributes `result` (the JSON of the
#'   program), `problems`, `cautions`, `details`, `file` and `status`.
#' @export
palmtop_verify <- function(release, delta = NULL, project = NULL) {
  if (inherits(release, "palmtop_release")) {
    project <- release$project
    file <- release$file
    bytes <- release$bytes
    options <- release$options
  } else if (is.character(release) && length(release) == 1) {
    if (is.null(project)) usage_error("a path needs `project`")
    file <- basename(release)
    bytes <- read_bytes(release)
    options <- character()
  } else {
    usage_error("verify judges a written file: pass a release or a path, not a data frame")
  }
  if (!is.null(delta)) {
    options <- delta_options(project, delta)
  } else if (length(options) == 0 && is.null(decided_delta(project))) {
    usage_error("delta is not decided: pass `delta`")
  }
  files <- project_files(project)
  files[[file]] <- bytes
  done <- with_folder(files, function(folder) {
    run(folder, c("verify", project_file, file, "--format", "json", options))
  })
  result <- json_of(done)
  is_verified <- done$status == 0L && isTRUE(result$faithful) && isTRUE(result$present)
  structure(
    is_verified, class = "palmtop_verdict", result = result, status = done$status, file = file,
    project_delta = decided_delta(project),
    problems = as.character(unlist(result$problems)), cautions = cautions_of(result),
    details = done$message
  )
}

#' Write a release and its reports
#'
#' `palmtop_report()` writes the report for the signer or for the recipient, as HTML or JSON by the
#' ending. The program counts every figure anew. `palmtop_write()` writes the file that was
#' verified, byte for byte. Send this file, and not the data frame. All files have the mode 0600.
#'
#' @param release a release.
#' @param file the file to write. `palmtop_report()` without a file returns the report as a list.
#' @param reader `"signer"` or `"recipient"`.
#' @param prior,misuse the prior belief and the acceptable misuse. The report then states the delta
#'   that follows from them.
#' @param overwrite whether to replace a file.
#' @return The path, invisibly. A report that says REFUSED is written, and is an error of the class
#'   `palmtop_not_verified`.
#' @export
palmtop_report <- function(release, file = NULL, reader = c("signer", "recipient"), prior = NULL,
                           misuse = NULL, overwrite = FALSE) {
  reader <- match.arg(reader)
  if (!is.null(file) && file.exists(file) && !overwrite) {
    usage_error(paste0(file, " exists already: overwrite = TRUE replaces it"))
  }
  is_json <- is.null(file) || tolower(tools::file_ext(file)) == "json"
  name <- if (is_json) "report.json" else "report.html"
  arguments <- c("report", project_file, release$file, "-o", name, "--for", reader,
                 release$options)
  if (!is.null(prior)) arguments <- c(arguments, "--prior", bound_text(prior))
  if (!is.null(misuse)) arguments <- c(arguments, "--misuse", bound_text(misuse))
  files <- project_files(release$project)
  files[[release$file]] <- release$bytes
  written <- with_folder(files, function(folder) {
    done <- run(folder, arguments)
    path <- file.path(folder, name)
    if (!done$status %in% c(0L, 3L) || !file.exists(path)) run_error(done)
    list(status = done$status, message = done$message, bytes = read_bytes(path))
  })
  if (!is.null(file)) write_private(file, written$bytes, overwrite)
  if (written$status != 0L) {
    palmtop_stop(paste0(file %||% "the report", " says REFUSED: ", written$message),
                 c("palmtop_not_verified", "palmtop_policy_failure"), status = written$status)
  }
  if (is.null(file)) parse_json(text_of(written$bytes)) else invisible(file)
}

#' @rdname palmtop_report
#' @export
palmtop_write <- function(release, file, overwrite = FALSE) {
  write_private(file, release$bytes, overwrite)
}

# An error unless the program wrote a release that keeps delta and the policy.
refuse_release <- function(done) {
  if (done$status == 3L) {
    result <- if (nzchar(trimws(done$stdout))) parse_json(done$stdout) else NULL
    cautions <- cautions_of(result)
    open <- cautions[cautions$severity == "severe" & is.na(cautions$accepted), ]
    if (isTRUE(result$present) && nrow(open) > 0) {
      hint <- "In R: decide `roles` in palmtop_init, or pass `accept` with reasons"
      text <- paste0(done$message, "\n", hint)
      palmtop_stop(text, c("palmtop_unanswered_cautions", "palmtop_policy_failure"),
                   status = 3L, cautions = open, result = result)
    }
    palmtop_stop(done$message, c("palmtop_no_release", "palmtop_policy_failure"), status = 3L,
                 reason = result$search$stop, result = result)
  }
  if (!isTRUE(json_of(done)$present)) {
    palmtop_stop("the release does not keep delta and the policy",
                 c("palmtop_no_release", "palmtop_policy_failure"), status = done$status)
  }
}

# The name of the next release; the program knows earlier releases by their names.
new_name <- function(project, file) {
  texts <- vapply(as.list(project$history), text_of, "")
  lines <- as.character(unlist(strsplit(texts, "\n", fixed = TRUE)))
  taken <- gsub('^file = "|"$', "", lines[startsWith(lines, "file = ")])
  if (is.null(file)) {
    names <- c("release.csv", paste0("release-", seq_len(length(taken) + 1) + 1, ".csv"))
    return(setdiff(names, taken)[[1]])
  }
  if (!grepl("^[^./][^/]*\\.csv$", file)) {
    usage_error("`file` is the name of a CSV file without a folder")
  }
  if (file %in% taken) usage_error(paste0("the project has a release ", file, " already"))
  file
}

# The SHA-256 by a tool of the system, to compare with the program's; NA without a tool.
sha256_of <- function(folder, file) {
  tool <- Sys.which("sha256sum")
  if (!nzchar(tool)) return(NA_character_)
  sub(" .*", "", processx::run(tool, file, wd = folder)$stdout)
}

cautions_of <- function(result) {
  field <- function(name) {
    vapply(result$cautions, function(each) as.character(each[[name]] %||% NA), "")
  }
  names <- c("key", "subject", "severity", "sentence", "remedy", "accepted")
  columns <- lapply(stats::setNames(names, names), function(name) as.character(field(name)))
  as.data.frame(columns, stringsAsFactors = FALSE)
}

caution_texts <- function(cautions) {
  name <- ifelse(is.na(cautions$subject), cautions$key, paste0(cautions$key, ":", cautions$subject))
  if (nrow(cautions) == 0) character() else paste0(name, ": ", cautions$sentence, " ",
                                                   cautions$remedy)
}
