not_verified <- c(
  "attackers who know more about a person than P's columns, such as a neighbour",
  "several releases of the same people, or of a changed table: use palmtop_compose",
  "what sensitive values reveal about a person who is known to be in T",
  "people whom an attacker believes beforehand to be likelier members than others",
  "whether P has all that attackers know, and whether roles and hierarchies are right"
)

#' @export
format.palmtop_verdict <- function(x, ...) {
  result <- attr(x, "result")
  within <- paste0("delta ", result$delta$min, " to ", result$delta$max)
  decided <- attr(x, "project_delta")
  if (!is.null(decided)) {
    of <- function(text) {
      parts <- as.numeric(strsplit(sub("%$", "/100", text), "/")[[1]])
      if (length(parts) == 2) parts[[1]] / parts[[2]] else parts[[1]]
    }
    # Only what is printed depends on these doubles.
    if (of(result$delta$max) > of(decided[["max"]]) || of(result$delta$min) < of(decided[["min"]])) {
      within <- paste0(within, ", which is LOOSER than the project's ", decided[["min"]], " to ",
                       decided[["max"]])
    }
  }
  if (isTRUE(unclass(x)[[1]])) {
    return(paste0("VERIFIED: a faithful release, presence ", result$achieved$min, " to ",
                  result$achieved$max, ", within ", within))
  }
  if (!isTRUE(result$faithful)) {
    return("NOT verified: this file is not a faithful release of T")
  }
  broken <- vapply(result$criteria, function(each) {
    if (identical(each$holds, FALSE)) each$name else NA_character_
  }, "")
  broken <- broken[!is.na(broken)]
  paste("NOT verified: a faithful release that breaks",
        if (length(broken) > 0) paste(broken, collapse = ", ") else within)
}

#' @export
print.palmtop_verdict <- function(x, ...) {
  result <- attr(x, "result")
  cat(format(x), "\n", sep = "")
  if (!is.null(result$headline)) cat(strwrap(result$headline, 80), sep = "\n")
  problems <- attr(x, "problems")
  if (length(problems) > 0) cat(strwrap(problems, 80, prefix = "  ", initial = "- "), sep = "\n")
  if (isTRUE(result$faithful)) {
    cat("Recounted from the raw tables: ", result$rows, " rows in ", result$released_classes,
        " released classes, against ", result$private, " people of T and ", result$public,
        " people of P.\nFor an attacker who ", result$adversary, ".\n", sep = "")
  }
  cat("Not verified:\n")
  cat(paste0("- ", not_verified), sep = "\n")
  cautions <- nrow(attr(x, "cautions"))
  if (cautions > 0) cat(cautions, "cautions are in `cautions`: read them before you sign.\n")
  invisible(x)
}

#' @export
print.palmtop_release <- function(x, ...) {
  cat(x$file, ": ", nrow(x$frame), " rows by ", x$run$strategy, ", loss ",
      format(round(x$run$metrics$loss, 4)), "\n\n", sep = "")
  print(x$verdict)
  cat("\nSend the file of palmtop_write(), not the data frame.\n")
  invisible(x)
}

#' @export
print.palmtop_check <- function(x, ...) {
  result <- attr(x, "result")
  cat("T ", result$private$people, " people, P ", result$public$people, " people, |T|/|P| = ",
      result$share, ", delta ", result$delta$min, " to ", result$delta$max, ": ",
      if (isTRUE(unclass(x)[[1]])) "feasible" else "NOT feasible", "\n", sep = "")
  cat(strwrap(caution_texts(attr(x, "cautions")), 80, prefix = "  ", initial = "- "), sep = "\n")
  invisible(x)
}

#' @export
print.palmtop_composition <- function(x, ...) {
  result <- attr(x, "result")
  expected <- result$expected$exact$people + result$expected$estimated$people
  if (isTRUE(unclass(x)[[1]])) {
    cat("Together within delta: nobody was found outside delta.\n")
  } else {
    cat("NOT within delta together: ", result$certain$people, " people are outside delta with ",
        "certainty, ", expected, " by expectation.\n", sep = "")
  }
  invisible(x)
}
