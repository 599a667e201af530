# The conditions of this package. Each error has the class `palmtop_error` and these fields:
# `text` (the complete message), `file`, `line`, `column`, `table` ("T" or "P") and `status`.

palmtop_stop <- function(text, class = character(), status = NULL, ...) {
  position <- parse_position(text)
  fields <- utils::modifyList(position, list(...))
  condition <- structure(
    class = c(class, "palmtop_error", "error", "condition"),
    c(list(message = text, call = NULL, text = text, status = status), fields)
  )
  stop(condition)
}

# The file, the line or row, and the column that a message of the program names.
parse_position <- function(text) {
  first <- function(pattern) {
    found <- regmatches(text, regexec(pattern, text, perl = TRUE))[[1]]
    if (length(found) == 2) found[[2]] else NULL
  }
  file <- first("(?<![\\w/])([\\w./-]+\\.(?:toml|csv|parquet|arrow|json))\\b")
  line <- first("\\b(?:line|row|rows) (?:of [^\n]*?: )?(\\d+)")
  stem <- if (is.null(file)) "" else sub("\\..*", "", basename(file))
  list(
    file = file,
    line = if (is.null(line)) NULL else as.integer(line),
    column = first("\\bcolumns? `([^`]+)`"),
    table = switch(stem, private = "T", public = "P", NULL)
  )
}

# One warning of the class `palmtop_caution` for each text.
warn_of <- function(texts) {
  for (text in texts) {
    warning(structure(
      class = c("palmtop_caution", "warning", "condition"),
      list(message = text, call = NULL)
    ))
  }
}

usage_error <- function(text) palmtop_stop(text, "palmtop_usage_error")

frame_error <- function(table, column, text) {
  palmtop_stop(
    paste0(table, ", column `", column, "`: ", text), "palmtop_frame_error",
    table = table, column = column
  )
}
