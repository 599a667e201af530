# Data frames in, strict CSV for the program, and data frames out.

# Copies T and P. Returns a list of `columns` (names), `csv` (raw), `like` (a prototype of each
# column) and `missing` (whether cells are missing), for each of both.
take_tables <- function(private, public) {
  frames <- list(T = private, P = public)
  frames <- frames[!vapply(frames, is.null, NA)]
  for (table in names(frames)) check_frame(table, frames[[table]])
  days <- lapply(frames, function(frame) {
    names(frame)[vapply(frame, function(x) inherits(x, "POSIXct") && is_midnight(x), NA)]
  })
  times <- lapply(frames, function(frame) {
    names(frame)[vapply(frame, function(x) inherits(x, "POSIXct") && !is_midnight(x), NA)]
  })
  lapply(stats::setNames(names(frames), names(frames)), function(table) {
    others <- setdiff(names(frames), table)
    as_days <- setdiff(days[[table]], unlist(times[others]))
    shared <- if (table == "T" || is.null(private)) names(frames[[table]]) else names(private)
    table_of(table, frames[[table]], as_days, shared)
  })
}

check_frame <- function(table, frame) {
  if (!is.data.frame(frame)) {
    palmtop_stop(paste0(table, " is a ", class(frame)[[1]], ": expected a data frame"),
                 "palmtop_frame_error", table = table)
  }
  twice <- names(frame)[duplicated(names(frame))]
  if (length(twice) > 0) frame_error(table, twice[[1]], "two columns have this name")
}

table_of <- function(table, frame, as_days, shared) {
  texts <- lapply(stats::setNames(names(frame), names(frame)), function(name) {
    column <- frame[[name]]
    text <- column_text(column, name %in% as_days)
    if (is.null(text)) {
      if (!name %in% shared) return(rep("", nrow(frame)))
      frame_error(table, name, paste0(
        "the class ", class(column)[[1]], " is not a text, a number, a factor, a flag, a Date or ",
        "a POSIXct: convert the column, or drop it"
      ))
    }
    if (name %in% shared) refuse_loss(table, name, column, text)
    text[is.na(text)] <- ""
    enc2utf8(text)
  })
  list(
    columns = names(frame),
    csv = csv_of(texts),
    like = lapply(frame, function(column) column[0]),
    levels = lapply(frame, levels),
    missing = vapply(frame, anyNA, NA)
  )
}

# Refuses what would not come back as it is.
refuse_loss <- function(table, name, column, text) {
  if (is.numeric(column) && any(is.nan(column))) {
    frame_error(table, name, "some cells are NaN, and not NA: replace them by NA")
  }
  if (anyNA(text) && any(text == "", na.rm = TRUE)) {
    frame_error(table, name, paste(
      'some cells are NA and others are the text "", and the program reads both as one value:',
      "replace one of them"
    ))
  }
  if (!all(validUTF8(enc2utf8(text[!is.na(text)])))) {
    frame_error(table, name, "some texts are not valid in their encoding")
  }
  if (any(grepl("\r", text, fixed = TRUE), na.rm = TRUE)) {
    frame_error(table, name, "some texts have a carriage return: remove it")
  }
  back <- restore_column(text, column[0], levels(column), anyNA(text))
  if (!identical(as.vector(back), as.vector(column)) && !isTRUE(all.equal(
    as.vector(back), as.vector(column), tolerance = 0, check.attributes = FALSE
  ))) {
    frame_error(table, name, paste0(
      "cells of the class ", class(column)[[1]], " would not come back as they are: ",
      "convert the column to a text"
    ))
  }
}

# The texts of a column with NA for missing cells; NULL if the class is not supported.
column_text <- function(column, as_days) {
  if (is.object(column)) {
    if (is.factor(column)) return(as.character(column))
    if (inherits(column, "Date")) return(format(column, "%Y-%m-%d"))
    if (inherits(column, "POSIXct")) {
      if (as_days) return(format(column, "%Y-%m-%d"))
      return(format(column, "%Y-%m-%d %H:%M:%OS6"))
    }
    return(NULL)
  }
  if (is.character(column)) return(column)
  if (is.logical(column)) return(ifelse(column, "true", "false"))
  if (is.integer(column)) return(ifelse(is.na(column), NA, sprintf("%d", column)))
  if (is.double(column)) return(double_text(column))
  NULL
}

# The shortest of 15, 16 and 17 digits that reads back as the same number.
double_text <- function(numbers) {
  text <- sprintf("%.15g", numbers)
  for (digits in c("%.16g", "%.17g")) {
    wrong <- !is.na(numbers) & suppressWarnings(as.numeric(text)) != numbers
    text[wrong] <- sprintf(digits, numbers[wrong])
  }
  text[is.na(numbers)] <- NA
  text
}

is_midnight <- function(times) {
  clock <- format(times[!is.na(times)], "%H:%M:%OS6")
  length(clock) > 0 && all(clock == "00:00:00.000000")
}

# A column from its texts, with the class of `like`.
restore_column <- function(text, like, levels, missing) {
  if (missing || !is.character(like)) text[!is.na(text) & text == ""] <- NA
  if (is.factor(like)) {
    return(factor(text, levels[levels %in% text], ordered = is.ordered(like)))
  }
  if (inherits(like, "Date")) return(as.Date(text))
  if (inherits(like, "POSIXct")) {
    zone <- attr(like, "tzone") %||% ""
    formats <- c("%Y-%m-%d %H:%M:%OS", "%Y-%m-%d")
    times <- as.POSIXct(text, tz = zone[[1]], tryFormats = formats, optional = TRUE)
    attr(times, "tzone") <- attr(like, "tzone")
    return(times)
  }
  if (is.logical(like)) return(text == "true")
  if (is.integer(like)) return(as.integer(text))
  if (is.double(like)) return(as.numeric(text))
  text
}

csv_of <- function(columns) {
  quoted <- lapply(columns, function(text) {
    needed <- grepl("[\",\n\r]", text)
    text[needed] <- paste0("\"", gsub("\"", "\"\"", text[needed], fixed = TRUE), "\"")
    text
  })
  if (length(quoted) == 1) quoted[[1]][quoted[[1]] == ""] <- "\"\""
  header <- csv_names(names(columns))
  lines <- do.call(paste, c(unname(quoted), list(sep = ",")))
  charToRaw(paste0(paste(c(header, lines), collapse = "\n"), "\n"))
}

csv_names <- function(names) {
  names <- enc2utf8(names)
  needed <- grepl("[\",\n\r]", names)
  names[needed] <- paste0("\"", gsub("\"", "\"\"", names[needed], fixed = TRUE), "\"")
  paste(names, collapse = ",")
}

# A release as a data frame. The columns `unchanged` have the class that they have in `table`.
frame_of <- function(bytes, table, unchanged) {
  frame <- utils::read.csv(
    text = sub("\n$", "", text_of(bytes)), colClasses = "character", na.strings = character(),
    check.names = FALSE, encoding = "UTF-8", stringsAsFactors = FALSE, comment.char = "",
    strip.white = FALSE, blank.lines.skip = FALSE
  )
  for (name in intersect(unchanged, table$columns)) {
    frame[[name]] <- restore_column(
      frame[[name]], table$like[[name]], table$levels[[name]], table$missing[[name]]
    )
  }
  frame
}
