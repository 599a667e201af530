test_that("a bound is taken exactly", {
  expect_equal(bound_text("1/10"), "1/10")
  expect_equal(bound_text(" 5% "), "5%")
  expect_equal(bound_text(0.1), "0.1")
  expect_equal(bound_text(0.1 + 0.2), "0.30000000000000004")
  expect_equal(bound_text(1e-7), "0.0000001")
  expect_equal(bound_text(1L), "1")
  expect_equal(bound_text(100000), "100000")
  expect_equal(unname(delta_texts(c(0.05, 0.1))), c("0.05", "0.1"))
  expect_equal(unname(delta_texts(list("1/20", 0.1))), c("1/20", "0.1"))
})

test_that("a wrong bound is refused", {
  for (bound in list("", "a", "1e-3", "-1", TRUE, NA, NULL, c(1, 2, 3))) {
    expect_error(delta_texts(bound), class = "palmtop_usage_error")
  }
})
