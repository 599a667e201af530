#' palmtop: releases of tables whose presence is sensitive
#'
#' A release of a private table T is delta-present if an attacker who knows the public table P
#' believes of each person, with a probability within delta, that the person is in T. This package
#' runs the program `palmtop` on data frames. No data leave the machine: the tables are written to
#' a private folder that is deleted after each call.
#'
#' @section Errors and warnings:
#' Every error has the class `palmtop_error` and the fields `text`, `file`, `line`, `column`,
#' `value`, `expected`, `remedy`, `table` and `status`; `positions` has all files, rows, columns and
#' values of an error. The classes below it are `palmtop_no_program`, `palmtop_usage_error`,
#' `palmtop_frame_error`, `palmtop_incomplete_project` and `palmtop_policy_failure`. The last one
#' means that there is no release that may be used. It has the classes `palmtop_no_release`,
#' `palmtop_unanswered_cautions` and `palmtop_not_verified`. Each caution of a release is a warning
#' of the class `palmtop_caution`.
#'
#' @section Progress:
#' An interactive session shows the share that is done. `options(palmtop.progress = FALSE)` turns
#' this off, and `TRUE` turns it on elsewhere.
#'
#' @section Files:
#' The temporary folder is in that of the session, with the mode 0700, and its files have 0600.
#'
#' @keywords internal
#' @aliases palmtop
"_PACKAGE"

#' Example tables
#'
#' An invented register of 2,000 people, and 100 patients among them.
#'
#' @return A list of two data frames: `patients`, with an identifier and a diagnosis, and
#'   `register`.
#' @examples
#' str(palmtop_example())
#' @export
palmtop_example <- function() {
  read <- function(name, classes) {
    path <- system.file("extdata", paste0(name, ".csv"), package = "palmtop")
    utils::read.csv(path, colClasses = classes, na.strings = "", check.names = FALSE)
  }
  shared <- c(area = "character", age = "integer", sex = "factor", moved_in = "Date")
  list(
    patients = read("patients", c(patient = "character", shared, diagnosis = "factor")),
    register = read("register", shared)
  )
}
