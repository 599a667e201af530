# Single lines of the project file, which is TOML.

toml_text <- function(text) {
  as.character(jsonlite::toJSON(enc2utf8(as.character(text)), auto_unbox = TRUE))
}

toml_value <- function(value) {
  if (is.list(value)) {
    parts <- vapply(names(value), function(key) paste(key, "=", toml_value(value[[key]])), "")
    return(paste0("{ ", paste(parts, collapse = ", "), " }"))
  }
  if (inherits(value, "Date")) return(format(value, "%Y-%m-%d"))
  if (is.logical(value)) return(tolower(as.character(value)))
  if (is.numeric(value)) return(plain_number(value))
  toml_text(value)
}

# Sets keys of a section, or of the top if `section` is "". A section that the text lacks is put
# before the first attribute.
with_values <- function(text, section, values) {
  lines <- strsplit(text, "\n", fixed = TRUE)[[1]]
  after <- function(lines, more, index) append(lines, more, index)
  if (nzchar(section)) {
    header <- which(trimws(lines) == paste0("[", section, "]"))
    if (length(header) == 0) {
      header <- c(which(trimws(lines) == "[[attribute]]"), length(lines) + 1)[[1]]
      while (header > 1 && startsWith(lines[[header - 1]], "#")) header <- header - 1
      lines <- after(lines, c(paste0("[", section, "]"), ""), header - 1)
    }
    start <- header[[1]]
  } else {
    start <- which(nzchar(lines) & !startsWith(lines, "#"))[[1]] - 1
    lines <- after(lines, "", start)
  }
  for (key in rev(names(values))) {
    line <- paste(key, "=", toml_value(values[[key]]))
    headers <- which(startsWith(lines, "["))
    end <- c(headers[headers > start], length(lines) + 1)[[1]]
    inside <- seq_along(lines) > start & seq_along(lines) < end
    found <- which(inside & grepl(paste0("^\\s*", key, "\\s*="), lines))
    if (length(found) > 0) lines[[found[[1]]]] <- line else lines <- after(lines, line, start)
  }
  paste0(paste(lines, collapse = "\n"), "\n")
}

# The [[attribute]] entries as a data frame: name, column of T, role, hierarchy, publish, undecided.
attributes_of <- function(text) {
  lines <- strsplit(text, "\n", fixed = TRUE)[[1]]
  starts <- which(trimws(lines) == "[[attribute]]")
  rows <- lapply(starts, function(start) {
    ends <- which(startsWith(trimws(lines), "["))
    end <- c(ends[ends > start], length(lines) + 1)[[1]]
    block <- lines[seq_len(end - start - 1) + start]
    name <- value_of(block, "name")
    data.frame(
      name = name,
      column = value_of(block, "private_column") %||% name,
      role = value_of(block, "role") %||% "",
      kind = value_of(block, "kind") %||% "",
      hierarchy = basename(value_of(block, "hierarchy") %||% ""),
      publish = any(grepl("^\\s*publish\\s*=", block)),
      undecided = identical(value_of(block, "role"), "undecided") ||
        any(grepl("^\\s*undecided\\s*=\\s*true", block)),
      stringsAsFactors = FALSE
    )
  })
  do.call(rbind, rows)
}

# The text of a key in these lines; NULL if they lack it.
value_of <- function(lines, key) {
  pattern <- paste0("^\\s*", key, "\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*')")
  found <- regmatches(lines, regexpr(pattern, lines, perl = TRUE))
  if (length(found) == 0) return(NULL)
  text <- sub(paste0("^\\s*", key, "\\s*=\\s*"), "", found[[1]])
  if (startsWith(text, "'")) return(substr(text, 2, nchar(text) - 1))
  jsonlite::fromJSON(paste0("[", text, "]"))
}

# The texts of δmin and δmax of a project.
delta_of <- function(text) {
  lines <- strsplit(text, "\n", fixed = TRUE)[[1]]
  start <- which(trimws(lines) == "[delta]")
  if (length(start) == 0) return(NULL)
  ends <- which(startsWith(lines, "["))
  end <- c(ends[ends > start], length(lines) + 1)[[1]]
  block <- lines[seq_len(end - start - 1) + start]
  c(min = value_of(block, "min") %||% "0", max = value_of(block, "max") %||% NA)
}
