#' Check a project
#'
#' Loads all tables and describes them.
#'
#' @inheritParams palmtop_anonymize
#' @return A logical with the class `palmtop_check`: whether a release can keep delta and the
#'   policy. Its attribute `result` has the JSON of the program, and `cautions` a data frame.
#' @examples
#' if (nzchar(palmtop_program(required = FALSE))) {
#'   tables <- palmtop_example()
#'   roles <- c(patient = "identifier", diagnosis = "sensitive")
#'   palmtop_check(project = palmtop_init(tables$patients, tables$register, roles))
#' }
#' @export
palmtop_check <- function(private = NULL, public = NULL, project = NULL) {
  project <- project_of(private, public, project)
  done <- with_folder(project_files(project), function(folder) {
    run(folder, c("check", project_file, "--format", "json"))
  })
  result <- json_of(done)
  structure(done$status == 0L && isTRUE(result$feasible), class = "palmtop_check",
            result = result, cautions = cautions_of(result))
}

#' Risk and utility of releases
#'
#' Measures the risks of releases besides delta, or what they can be used for. The figures are no
#' verdict. They reveal facts about T: they are for you only.
#'
#' @param ... releases of one project.
#' @param worst the number of classes with the highest risk or loss in the result.
#' @return A data frame: a row for each measure, a column for each release. The attribute `result`
#'   has the complete JSON of the program.
#' @export
palmtop_risk <- function(..., worst = NULL) measures("risk", list(...), worst)

#' @rdname palmtop_risk
#' @export
palmtop_utility <- function(..., worst = NULL) measures("utility", list(...), worst)

#' Membership as an attack
#'
#' How much a release reveals about who is in T: the share of members (`prior`), the highest
#' posterior, the lift, the expected precision, recall and F1 of the best attack by classes, and
#' their bounds from delta alone. The figures are those of the signer's report: for you only.
#'
#' @param release a release.
#' @return A data frame: a row for each `measure`, its `exact` fraction, and in `percent`, rounded
#'   up. The attribute `result` has the complete section of the report.
#' @export
palmtop_membership <- function(release) {
  section <- palmtop_report(release)$disclosures$membership
  is_figure <- function(value) is.list(value) && identical(names(value), c("exact", "percent"))
  figures <- list(lift = list(exact = section$lift %||% NA, percent = NA))
  for (name in names(section)) {
    value <- section[[name]]
    if (is_figure(value)) figures[[name]] <- value
    inner <- if (is.list(value)) Filter(is_figure, value) else list()
    for (key in names(inner)) figures[[paste0(name, ": ", key)]] <- inner[[key]]
  }
  column <- function(key) vapply(figures, function(each) as.character(each[[key]]), "")
  table <- data.frame(measure = names(figures), exact = column("exact"),
                      percent = column("percent"), stringsAsFactors = FALSE, row.names = NULL)
  structure(table, result = section)
}

#' Judge several releases together
#'
#' Computes what an attacker who has several releases of one T can infer.
#'
#' @param ... the releases, in the order in which they were made.
#' @param change how T may have changed between them.
#' @param delta the delta that judges them; by default that of the releases.
#' @return A logical with the class `palmtop_composition`: `TRUE` if nobody was found outside delta,
#'   by bounds or by expectation. The attribute `result` has the JSON of the program.
#' @export
palmtop_compose <- function(..., change = c("same", "added", "removed"), delta = NULL) {
  releases <- releases_of(list(...))
  project <- releases[[length(releases)]]$project
  names <- paste0(seq_along(releases), "-", vapply(releases, function(each) each$file, ""))
  options <- if (is.null(delta)) common_options(releases) else delta_options(project, delta)
  options <- c(options, "--change", match.arg(change))
  files <- stats::setNames(lapply(releases, function(each) each$bytes), names)
  done <- with_folder(c(project_files(project), files), function(folder) {
    run(folder, c("compose", project_file, names, "--format", "json", options))
  })
  result <- json_of(done)
  structure(done$status == 0L && isTRUE(result$holds), class = "palmtop_composition",
            result = result)
}

#' The classes of a release
#'
#' @param release a release.
#' @return A data frame with the label of each quasi-identifier, the members (`private`), the people
#'   of P (`public`), their ratio (`presence`) and `verdict`, the highest presence first. The last
#'   row has the people of P who match no row of the release.
#' @export
palmtop_classes <- function(release) {
  risk <- palmtop_risk(release, worst = max(1, release$run$released_classes))
  classes <- attr(risk, "result")$risk[[1]]$worst
  entries <- attributes_of(release$project$text)
  names <- entries$name[entries$role == "quasi"]
  labels <- lapply(seq_along(names), function(i) {
    vapply(classes, function(each) as.character(each$labels[[i]]), "")
  })
  table <- as.data.frame(stats::setNames(labels, names), stringsAsFactors = FALSE,
                         check.names = FALSE)
  table$private <- vapply(classes, function(each) as.integer(each$t), 1L)
  table$public <- vapply(classes, function(each) as.integer(each$n), 1L)
  result <- attr(release$verdict, "result")
  if (result$unmatched > 0) {
    rest <- table[1, ]
    rest[names] <- "no row"
    rest$private <- as.integer(result$suppressed)
    rest$public <- as.integer(result$unmatched)
    table <- rbind(table[order(-table$private / table$public), ], rest)
  }
  table$presence <- table$private / table$public
  table$verdict <- class_verdicts(table, result$delta)
  rownames(table) <- NULL
  table
}

# Exact: compares t/n with a/b by t*b and n*a.
class_verdicts <- function(table, delta) {
  compared <- function(text) {
    parts <- as.numeric(strsplit(text, "/")[[1]])
    table$private * (if (length(parts) == 2) parts[[2]] else 1) - table$public * parts[[1]]
  }
  ifelse(compared(delta$max) > 0, "over", ifelse(compared(delta$min) < 0, "under", "ok"))
}

measures <- function(shown, releases, worst) {
  releases <- releases_of(releases)
  project <- releases[[length(releases)]]$project
  labels <- vapply(releases, function(each) each$file, "")
  if (length(releases) > 1) labels <- paste0(seq_along(labels), "-", labels)
  files <- stats::setNames(lapply(releases, function(each) each$bytes), labels)
  options <- common_options(releases)
  if (!is.null(worst)) options <- c(options, "--worst", plain_number(worst))
  done <- with_folder(c(project_files(project), files), function(folder) {
    run(folder, c("compare", project_file, paste0("./", labels), "--show", shown, "--format", "json",
                  options))
  })
  result <- json_of(done)
  columns <- lapply(result[[shown]], single_figures)
  rows <- unique(unlist(lapply(columns, names)))
  table <- data.frame(measure = rows, stringsAsFactors = FALSE)
  for (i in seq_along(columns)) {
    table[[labels[[i]]]] <- unname(unlist(columns[[i]])[rows])
  }
  structure(table, result = result)
}

# The single figures of a release, with those that are named by a column, as texts.
single_figures <- function(entry) {
  entry$of <- NULL
  figures <- list()
  for (name in names(entry)) {
    value <- entry[[name]]
    if (is.list(value)) {
      for (key in names(value)) {
        if (!is.list(value[[key]])) figures[[paste0(name, ": ", key)]] <- value[[key]] %||% NA
      }
    } else {
      figures[[name]] <- value %||% NA
    }
  }
  lapply(figures, as.character)
}

releases_of <- function(releases) {
  if (length(releases) == 0) usage_error("no release was given")
  if (!all(vapply(releases, inherits, NA, what = "palmtop_release"))) {
    usage_error("expected releases of palmtop_anonymize")
  }
  releases
}

common_options <- function(releases) {
  choices <- unique(lapply(releases, function(each) each$options))
  if (length(choices) > 1) usage_error("the releases have different delta: pass `delta`")
  choices[[1]]
}
