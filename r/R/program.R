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

# Runs the program in a folder. Returns `status`, `stdout` and `stderr`.
run <- function(folder, arguments) {
  program <- palmtop_program()
  # By files, because a text would be translated to the encoding of the session.
  files <- file.path(folder, c("palmtop.stdout", "palmtop.stderr"))
  done <- processx::run(
    program, enc2utf8(arguments), wd = folder, error_on_status = FALSE, stdout = files[[1]],
    stderr = files[[2]], env = c("current", NO_COLOR = "1"), spinner = interactive()
  )
  done$stdout <- text_of(read_bytes(files[[1]]))
  done$stderr <- text_of(read_bytes(files[[2]]))
  done$stderr <- gsub(paste0(normalizePath(folder), "/"), "", done$stderr, fixed = TRUE)
  text <- gsub("(?m)^palmtop: |^For more information, try.*", "", done$stderr, perl = TRUE)
  done$message <- trimws(text)
  done
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
  palmtop_stop(sub("^error: ", "", text), class, status = done$status)
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
