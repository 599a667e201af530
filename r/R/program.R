#' The program behind this package
#'
#' `palmtop_program()` returns the path of the program: that in the environment variable `PALMTOP`,
#' or else the one on `PATH`. `palmtop_version()` returns its version.
#'
#' @return A text. `palmtop_program(required = FALSE)` is `""` if the program was not found.
#' @param required whether a missing program is an error.
#' @examples
#' palmtop_program(required = FALSE)
#' @export
palmtop_program <- function(required = TRUE) {
  named <- Sys.getenv("PALMTOP")
  path <- if (nzchar(named)) named else unname(Sys.which("palmtop"))
  if (nzchar(path) && file.access(path, 1) == 0 && !dir.exists(path)) {
    return(normalizePath(path))
  }
  if (!required) {
    return("")
  }
  if (nzchar(named)) {
    palmtop_stop(paste0("the environment variable PALMTOP is ", named, ", which is no program"),
                 "palmtop_no_program")
  }
  palmtop_stop(
    paste("the program `palmtop` was not found: set the environment variable PALMTOP to its path,",
          "or install it in a folder of PATH"),
    "palmtop_no_program"
  )
}

#' @rdname palmtop_program
#' @export
palmtop_version <- function() {
  trimws(processx::run(palmtop_program(), "--version")$stdout)
}

# Evaluates `action(folder)` in a private folder with these files, a named list of raw vectors. The
# folder has the mode 0700, its files 0600. It is deleted afterwards, also after an error.
with_folder <- function(files, action) {
  mask <- Sys.umask("077")
  folder <- tempfile("palmtop-")
  on.exit({
    unlink(folder, recursive = TRUE, force = TRUE)
    Sys.umask(mask)
  })
  dir.create(folder, mode = "0700")
  for (name in names(files)) {
    path <- file.path(folder, name)
    dir.create(dirname(path), showWarnings = FALSE, recursive = TRUE)
    writeBin(files[[name]], path)
  }
  action(folder)
}

# Runs the program in a folder. Returns `status`, `stdout`, `message`, `questions` and `positions`.
# The program writes its messages as JSON, one object a line.
run <- function(folder, arguments) {
  # By a file, because a text would be translated to the encoding of the session.
  output <- file.path(folder, "palmtop.stdout")
  arguments <- enc2utf8(c(arguments, "--messages", "json"))
  process <- processx::process$new(
    palmtop_program(), arguments, wd = folder, stdout = output, stderr = "|", encoding = "UTF-8"
  )
  # An interrupt stops the program, which then writes nothing.
  on.exit(if (process$is_alive()) process$kill())
  bar <- progress_bar()
  records <- list()
  take <- function(lines) {
    for (line in lines[nzchar(lines)]) {
      record <- record_of(line)
      if (record$kind == "progress") bar$show(record) else records[[length(records) + 1]] <<- record
    }
  }
  while (process$is_alive()) {
    process$poll_io(100)
    take(process$read_error_lines())
  }
  take(process$read_all_error_lines())
  bar$close()
  within <- paste0(normalizePath(folder), "/")
  records <- without_folder(records, within)
  kinds <- vapply(records, function(record) record$kind, "")
  texts <- vapply(records, function(record) record$text, "")
  remedies <- vapply(records, function(record) record$remedy %||% "", "")
  is_question <- kinds == "question"
  errors <- records[kinds == "error"]
  list(
    status = process$get_exit_status(),
    stdout = text_of(read_bytes(output)),
    message = paste(texts[kinds == if (length(errors) > 0) "error" else "message"], collapse = "\n"),
    questions = c(
      sprintf("%s: %s", texts[is_question], remedies[is_question]), texts[kinds == "caution"]
    ),
    positions = unlist(lapply(errors, function(error) error$positions), recursive = FALSE)
  )
}

# A message of the program. Another line, such as one of the system, is a message as it is.
record_of <- function(line) {
  record <- tryCatch(parse_json(line), error = function(error) NULL)
  if (is.list(record) && is.character(record$kind) && is.character(record$text)) {
    return(record)
  }
  list(kind = "message", text = line)
}

# The same messages; their texts name the files of the private folder by their names.
without_folder <- function(value, folder) {
  if (is.character(value)) return(gsub(folder, "", value, fixed = TRUE))
  if (is.list(value)) return(lapply(value, without_folder, folder))
  value
}

# A line with the share that is done. It is shown in an interactive session, or always or never by
# the option `palmtop.progress`.
progress_bar <- function() {
  if (!isTRUE(getOption("palmtop.progress", interactive()))) {
    return(list(show = function(record) NULL, close = function() NULL))
  }
  shown <- FALSE
  list(
    show = function(record) {
      done <- if (record$total > 0) min(1, record$done / record$total) else 0
      full <- round(30 * done)
      bar <- paste0(strrep("=", full), strrep(" ", 30 - full))
      cat(sprintf("\r%-40.40s [%s] %3.0f %%", record$text, bar, 100 * done), file = stderr())
      shown <<- TRUE
    },
    close = function() if (shown) cat("\r", strrep(" ", 80), "\r", sep = "", file = stderr())
  )
}

# The JSON of a run, whatever its verdict. It is an error if the program failed.
json_of <- function(done) {
  if (!done$status %in% c(0L, 3L) || !nzchar(trimws(done$stdout))) {
    run_error(done)
  }
  parse_json(done$stdout)
}

parse_json <- function(text) jsonlite::fromJSON(text, simplifyVector = FALSE)

run_error <- function(done) {
  text <- done$message
  if (!nzchar(text)) text <- paste("the program ended with the exit status", done$status)
  class <- if (identical(done$status, 2L)) "palmtop_usage_error" else character()
  palmtop_stop(text, class, status = done$status, positions = done$positions)
}

read_bytes <- function(path) readBin(path, "raw", file.size(path))

# Writes a file with the mode 0600. It replaces a file only with `overwrite`.
write_private <- function(path, bytes, overwrite = FALSE) {
  if (file.exists(path)) {
    if (!overwrite) usage_error(paste0(path, " exists already: overwrite = TRUE replaces it"))
    unlink(path)
  }
  mask <- Sys.umask("077")
  on.exit(Sys.umask(mask))
  dir.create(dirname(path), showWarnings = FALSE, recursive = TRUE)
  writeBin(bytes, path)
  invisible(path)
}

bytes_of <- function(text) charToRaw(enc2utf8(text))

text_of <- function(bytes) {
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  text
}

`%||%` <- function(value, other) if (is.null(value)) other else value
