roles <- c(patient = "identifier", diagnosis = "sensitive")

skip_without_program <- function() {
  skip_if(!nzchar(palmtop_program(required = FALSE)), "the program palmtop was not found")
}

quiet <- function(code) suppressWarnings(code, classes = "palmtop_caution")

example_release <- function(...) {
  tables <- palmtop_example()
  quiet(palmtop_anonymize(tables$patients, tables$register, "1/5", roles = roles, ...))
}

local_folder <- function(env = parent.frame()) {
  folder <- tempfile("test-")
  dir.create(folder)
  do.call(on.exit, list(bquote(unlink(.(folder), recursive = TRUE)), add = TRUE), envir = env)
  folder
}
