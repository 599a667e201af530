# The conditions of this package. Each error has the class `palmtop_error` and these fields:
# `text` (the complete message), `file`, `line`, `column`, `value`, `expected`, `remedy`, `table`
# ("T" or "P"), `positions` and `status`.

# `positions` are those that the program gave: a list for each file, row, column or value.
palmtop_stop <- function(text, class = character(), status = NULL, positions = NULL, ...) {
  first <- if (length(positions) > 0) positions[[1]] else list()
  stem <- if (is.null(first$file)) "" else sub("\\..*", "", basename(first$file))
  position <- list(
    file = first$file, line = first$line %||% first$row, column = first$column,
    value = first$value, expected = first$expected, remedy = first$remedy,
    table = switch(stem, private = "T", public = "P", NULL), positions = positions
  )
  fields <- utils::modifyList(position, list(...))
  condition <- structure(
    class = c(class, "palmtop_error", "error", "condition"),
    c(list(message = text, call = NULL, text = text, status = status), fields)
  )
  stop(condition)
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
