# δ as the program reads it. A number is taken by its shortest decimal text: 0.1 is exactly 1/10.

bound_text <- function(bound) {
  if (length(bound) != 1 || is.na(bound)) usage_error("a bound of delta is one number or text")
  if (is.character(bound)) {
    text <- trimws(bound)
  } else if (is.numeric(bound)) {
    text <- plain_number(bound)
  } else {
    usage_error(paste("a bound of delta is a number or a text, not", class(bound)[[1]]))
  }
  if (!grepl("^([0-9]+/[0-9]+|[0-9]+(\\.[0-9]+)?%?|\\.[0-9]+%?)$", text)) {
    usage_error(paste0("'", text, "' is no bound of delta: expected a fraction such as 2/3, ",
                       "a decimal such as 0.05 or a percentage such as 5%"))
  }
  text
}

# c(min = , max = ) of texts; `min` is NA if only a maximum was given.
delta_texts <- function(delta) {
  if (!length(delta) %in% 1:2) usage_error("delta is its maximum, or c(minimum, maximum)")
  texts <- vapply(seq_along(delta), function(i) bound_text(delta[[i]]), "")
  if (length(texts) == 1) c(min = NA, max = texts) else c(min = texts[[1]], max = texts[[2]])
}

# Digits without an exponent that read back as the same number.
plain_number <- function(number) {
  for (digits in 1:17) {
    text <- formatC(number, digits = digits, format = "g", width = 1)
    if (as.numeric(text) == number) break
  }
  if (grepl("e", text)) {
    places <- max(0, digits - 1 - floor(log10(abs(number))))
    text <- formatC(number, digits = places, format = "f", width = 1)
  }
  text
}
