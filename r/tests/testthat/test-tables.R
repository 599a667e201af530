register <- function() {
  data.frame(
    area = rep(c("01067", "01069", NA, "02708"), 100),
    age = ifelse(1:400 %% 50 == 7, NA, 1:400 %% 90L),
    born = as.Date("1950-01-01") + 365 * (1:400 %% 40)
  )
}

patients <- function() {
  frame <- register()[seq(1, 400, 8), ]
  frame$text <- rep(c("a", "", "\u00fc,\n\"q\"", "007", "NA"), 10)
  frame$maybe <- rep(c("x", NA, "y", NA, "x"), 10)
  frame$count <- rep(c(1L, 2L, NA, 4L, 100000L), 10)
  frame$dose <- rep(c(0.1, NA, 1e-7, 1 / 3, 123456789), 10)
  frame$flag <- rep(c(TRUE, FALSE, NA, TRUE, TRUE), 10)
  frame$day <- rep(as.Date(c("2024-01-05", NA, "2024-01-06", "1950-01-01", "2024-01-05")), 10)
  frame$time <- rep(as.POSIXct(c("2024-01-05 10:30:00", NA, "2024-07-05 10:30:01",
                                 "2024-01-05 00:00:00", "2024-01-05 10:30:00"), tz = "UTC"), 10)
  frame$grade <- factor(rep(c("low", "high", NA, "low", "mid"), 10), ordered = TRUE,
                        levels = c("low", "mid", "high", "never"))
  frame
}

only_t <- c("text", "maybe", "count", "dose", "flag", "day", "time", "grade")
reason <- "This is a test without real people."

test_that("classes and missing cells survive", {
  skip_without_program()
  private <- patients()
  project <- quiet(palmtop_init(
    private, register(), stats::setNames(rep("insensitive", length(only_t)), only_t), "1/2"
  ))
  accept <- tryCatch(
    {
      palmtop_anonymize(project = project, strategy = "spalm")
      NULL
    },
    palmtop_caution = function(caution) NULL,
    palmtop_unanswered_cautions = function(error) {
      keys <- paste0(error$cautions$key, ifelse(is.na(error$cautions$subject), "", ":"),
                     ifelse(is.na(error$cautions$subject), "", error$cautions$subject))
      stats::setNames(rep(reason, length(keys)), keys)
    }
  )
  release <- quiet(palmtop_anonymize(project = project, strategy = "spalm", accept = accept))
  for (name in only_t) {
    before <- private[[name]]
    after <- release$frame[[name]]
    expect_equal(class(after), class(before), info = name)
    expect_equal(sort(as.character(after), na.last = TRUE),
                 sort(as.character(before), na.last = TRUE), info = name)
  }
  expect_identical(sort(release$frame$dose), sort(private$dose))
  expect_equal(levels(release$frame$grade), c("low", "mid", "high"))
  expect_type(release$frame$age, "character")
  entries <- attributes_of(project$text)
  expect_equal(entries$kind[entries$name == "born"], "date")
})

test_that("what would lose something is refused, with the column", {
  public <- data.frame(age = as.character(1:40 %% 5))
  private <- function(cells) {
    frame <- data.frame(age = c("1", "2", "3", "4"))
    frame$c <- cells
    frame
  }
  refused <- list(
    c("a", "", NA, "b"), list(1, 2, 3, 4), as.difftime(1:4, units = "secs"), c(1.5, NaN, 2, 3),
    c("a\rb", "c", "d", "e"), complex(4), as.POSIXct("2024-01-05", tz = "UTC") + 1:4 + 0.1234567
  )
  for (cells in refused) {
    error <- expect_error(take_tables(private(cells), public), class = "palmtop_frame_error")
    expect_equal(error$column, "c")
    expect_equal(error$table, "T")
  }
  expect_error(take_tables(list(a = 1), public), class = "palmtop_frame_error")
})

test_that("CSV is strict", {
  expect_equal(rawToChar(csv_of(list(a = c("x", "", "a,b", "q\"q"), b = c("1", "2", "3", "\n")))),
               "a,b\nx,1\n,2\n\"a,b\",3\n\"q\"\"q\",\"\n\"\n")
  expect_equal(rawToChar(csv_of(list(a = c("", "x")))), "a\n\"\"\nx\n")
})

test_that("days as POSIXct are days, unless the other table has times", {
  day <- as.POSIXct(c("2024-01-05", NA), tz = "Europe/Berlin")
  both <- take_tables(data.frame(d = day), data.frame(d = rep(day, 2)))
  expect_match(rawToChar(both$T$csv), "^d\n2024-01-05\n")
  both <- take_tables(data.frame(d = day), data.frame(d = c(day, day[[1]] + 60)))
  expect_match(rawToChar(both$T$csv), "2024-01-05 00:00:00")
})
