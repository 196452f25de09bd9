; Takeuchi's function: calls with three arguments.
(define (tak x y z)
  (if (not (< y x))
      z
      (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))))
(define (run) (tak 28 16 8))
(define expected 9)
