project_file <- "project.toml"
history_file <- "project.history.toml"
# What palmtop 0.1.0 kept, which the program takes over into the history.
earlier_file <- "project.releases.toml"

# The name of the result that `--with report` writes beside a release.
report_name <- function(file) paste0(sub("\\.[^.]+$", "", file), ".report.json")

#' Propose a project for two tables
#'
#' Proposes roles, hierarchies and limits, as `palmtop init --yes` does. Read the proposal: print
#' the project, and read its `text`.
#'
#' @param private the private table T, or `NULL` if `member` names the column of P that marks its
#'   members.
#' @param public the public table P, which an attacker may know.
#' @param roles a named vector with a role for each column that you decide: `"withheld"` or `"identifier"` (never
#'   published), `"quasi"`, `"sensitive"` or `"insensitive"` (published unchanged). A published
#'   column of T whose role nobody decided stops every release.
#' @param delta delta, if it is decided: its maximum, or `c(minimum, maximum)`. A bound is a text
#'   such as `"1/10"` or `"5%"`, or a number, which is taken by its shortest decimal text.
#' @param policy a list of what is enforced besides delta, such as
#'   `list(k = 11, l = list(distinct = 2))`.
#' @param hierarchies a folder in which fitting hierarchies may be found.
#' @param member the column of P that marks the members of T.
#' @param not_in_public what happens to people of T whom P lacks: `"drop"`, `"add"`, or by default
#'   what the program proposes.
#' @param limits whether the proposed `terms` and `borders` stay. They keep texts short, and a
#'   release `beside` an earlier one cannot have them.
#' @param name the name of the project in the reports.
#' @param report a list of what the reports state, such as
#'   `list(responsible = "R. Berg, data protection")`.
#' @return A project: an environment with `text`, the project file, which you may change, and
#'   `questions`, the proposals that are not sure. It has a copy of both tables.
#' @examples
#' if (nzchar(palmtop_program(required = FALSE))) {
#'   tables <- palmtop_example()
#'   roles <- c(patient = "identifier", diagnosis = "sensitive")
#'   palmtop_init(tables$patients, tables$register, roles)
#' }
#' @export
palmtop_init <- function(private, public, roles = NULL, delta = NULL, policy = NULL,
                         hierarchies = NULL, member = NULL, not_in_public = NULL,
                         limits = TRUE, name = NULL, report = NULL) {
  tables <- take_tables(private, public)
  arguments <- c("init", "--yes", "-o", project_file, "--public", "public.csv")
  if (!is.null(private)) arguments <- c(arguments, "--private", "private.csv")
  if (!is.null(member)) arguments <- c(arguments, paste0("--member=", member))
  for (column in names(roles)) {
    arguments <- c(arguments, paste0("--role=", column, "=", roles[[column]]))
  }
  if (!is.null(hierarchies)) {
    arguments <- c(arguments, "--hierarchies", normalizePath(hierarchies))
  }
  project <- structure(new.env(parent = emptyenv()), class = "palmtop_project")
  project$tables <- tables
  with_folder(table_files(tables), function(folder) {
    done <- run(folder, arguments)
    if (!file.exists(file.path(folder, project_file))) run_error(done)
    project$text <- text_of(read_bytes(file.path(folder, project_file)))
    built <- list.files(file.path(folder, "project-hierarchies"))
    paths <- file.path("project-hierarchies", built)
    project$hierarchies <- lapply(
      stats::setNames(paths, paths), function(path) read_bytes(file.path(folder, path))
    )
    project$questions <- done$questions
  })
  if (!limits) {
    project$text <- gsub("(?m)^(terms|borders) = .*\n", "", project$text, perl = TRUE)
  }
  if (!is.null(not_in_public)) {
    project$text <- with_values(project$text, "private", list(not_in_public = not_in_public))
  }
  if (!is.null(policy)) project$text <- with_values(project$text, "policy", policy)
  if (!is.null(report)) project$text <- with_values(project$text, "report", report)
  if (!is.null(name)) project$text <- with_values(project$text, "", list(name = name))
  if (!is.null(delta)) decide(project, delta)
  checked <- with_folder(project_files(project), function(folder) {
    run(folder, c("check", project_file, "--format", "json"))
  })
  if (!checked$status %in% c(0L, 3L)) {
    hint <- "\nIn R: palmtop_init(..., not_in_public = \"drop\"), or change the text of the project"
    text <- checked$message
    if (grepl("not_in_public", text, fixed = TRUE)) text <- paste0(text, hint)
    palmtop_stop(text, "palmtop_incomplete_project", status = checked$status,
                 positions = checked$positions, project = project)
  }
  warn_of(project$questions[!startsWith(project$questions, "\u03b4max")])
  project
}

#' Read or keep a project
#'
#' `palmtop_open()` reads a project file that the program or `palmtop_save()` wrote.
#' `palmtop_save()` writes a project, or a release with its project, into a folder. A report names
#' the tables by their SHA-256: keep this folder, so that `palmtop verify project.toml release.csv`
#' can recount the release later. The files have the mode 0600, and no file is overwritten.
#'
#' @param path the path of the project file.
#' @param private,public the tables T and P as data frames.
#' @param x a project or a release.
#' @param folder the folder.
#' @return `palmtop_open()` returns a project; `palmtop_save()` the path of the project file,
#'   invisibly.
#' @export
palmtop_open <- function(path, private, public) {
  project <- structure(new.env(parent = emptyenv()), class = "palmtop_project")
  folder <- normalizePath(dirname(path))
  text <- text_of(read_bytes(path))
  lines <- strsplit(text, "\n", fixed = TRUE)[[1]]
  pattern <- "^(\\s*(?:hierarchy|belief)\\s*=\\s*)\"([^/\"\\\\][^\"\\\\]*)\""
  lines <- gsub(pattern, paste0("\\1\"", folder, "/\\2\""), lines, perl = TRUE)
  text <- paste0(paste(lines, collapse = "\n"), "\n")
  project$tables <- take_tables(private, public)
  if (!is.null(private)) text <- with_values(text, "private", list(path = "private.csv"))
  project$text <- with_values(text, "public", list(path = "public.csv"))
  project$hierarchies <- list()
  project$questions <- character()
  project$is_decided <- TRUE
  project$history <- list()
  for (name in c(history_file, earlier_file)) {
    kept <- sub("\\.toml$", sub("^project", "", name), path)
    if (file.exists(kept)) project$history[[name]] <- read_bytes(kept)
  }
  project
}

#' @rdname palmtop_open
#' @export
palmtop_save <- function(x, folder) {
  is_release <- inherits(x, "palmtop_release")
  files <- project_files(if (is_release) x$project else x)
  if (is_release) {
    files[[x$file]] <- x$bytes
    files[[report_name(x$file)]] <- x$report
  }
  taken <- names(files)[file.exists(file.path(folder, names(files)))]
  if (length(taken) > 0) usage_error(paste0(file.path(folder, taken[[1]]), " exists already"))
  for (name in names(files)) write_private(file.path(folder, name), files[[name]])
  invisible(file.path(folder, project_file))
}

#' @export
print.palmtop_project <- function(x, ...) {
  delta <- decided_delta(x)
  cat(if (is.null(delta)) "delta is not decided" else paste("delta", delta[["min"]], "to",
                                                           delta[["max"]]), "\n\n", sep = "")
  entries <- attributes_of(x$text)
  entries$note <- ifelse(entries$undecided, "nobody decided this role", "")
  print(entries[c("name", "role", "kind", "hierarchy", "note")], row.names = FALSE, right = FALSE)
  if (length(x$questions) > 0) {
    cat("\nRead these proposals:\n")
    cat(strwrap(x$questions, 80, prefix = "  ", initial = "- "), sep = "\n")
  }
  invisible(x)
}

# The first delta that is given becomes the project's. Returns the options for a later one.
decide_or_options <- function(project, delta) {
  if (is.null(delta)) {
    if (is.null(decided_delta(project))) {
      usage_error(paste("delta is not decided: pass `delta`. The delta that `palmtop_init` wrote",
                        "is only a starting point"))
    }
    return(character())
  }
  if (is.null(decided_delta(project))) {
    decide(project, delta)
    return(character())
  }
  delta_options(project, delta)
}

delta_options <- function(project, delta) {
  texts <- delta_texts(delta)
  decided <- decided_delta(project)
  if (is.na(texts[["min"]])) texts[["min"]] <- if (is.null(decided)) "0" else decided[["min"]]
  if (identical(unname(texts), unname(decided))) return(character())
  c("--delta-min", texts[["min"]], "--delta-max", texts[["max"]])
}

decide <- function(project, delta) {
  texts <- delta_texts(delta)
  decided <- decided_delta(project)
  if (is.na(texts[["min"]])) texts[["min"]] <- if (is.null(decided)) "0" else decided[["min"]]
  text <- gsub("(?m)^# (A starting point, not|`palmtop advise) .*\n", "", project$text, perl = TRUE)
  project$text <- with_values(text, "delta", as.list(texts))
  project$is_decided <- TRUE
  project$questions <- project$questions[!startsWith(project$questions, "\u03b4max")]
}

decided_delta <- function(project) {
  if (isTRUE(project$is_decided)) delta_of(project$text) else NULL
}

table_files <- function(tables) {
  files <- list(public.csv = tables$P$csv, private.csv = tables$T$csv)
  files[!vapply(files, is.null, NA)]
}

project_files <- function(project) {
  files <- c(
    stats::setNames(list(bytes_of(project$text)), project_file),
    project$hierarchies, table_files(project$tables)
  )
  c(files, project$history)
}

copy_of <- function(project) {
  fields <- mget(ls(project), envir = project)
  structure(list2env(fields, parent = emptyenv()), class = "palmtop_project")
}

# The project of the arguments of a verb: `project`, or a proposal.
project_of <- function(private, public, project, roles = NULL, policy = NULL) {
  if (is.null(project)) return(palmtop_init(private, public, roles, policy = policy))
  if (!inherits(project, "palmtop_project")) usage_error("`project` is no palmtop_project")
  if (!is.null(roles) || !is.null(policy)) {
    usage_error("roles and policy are those of the project: pass them to `palmtop_init`")
  }
  if (!is.null(private) || !is.null(public)) project$tables <- take_tables(private, public)
  project
}

# T's names of the columns that a release publishes unchanged.
unchanged_columns <- function(project) {
  entries <- attributes_of(project$text)
  entries$column[entries$role %in% c("sensitive", "insensitive", "undecided") & !entries$publish]
}
