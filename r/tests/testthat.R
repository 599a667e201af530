library(testthat)
library(palmtop)

test_check("palmtop")
