; Takeuchi's function where every value is passed to a continuation that was captured.
(define (ctak x y z)
  (call-with-current-continuation (lambda (k) (ctak-to k x y z))))
(define (ctak-to k x y z)
  (if (not (< y x))
      (k z)
      (call-with-current-continuation
       (lambda (k)
         (ctak-to k
                  (call-with-current-continuation (lambda (k) (ctak-to k (- x 1) y z)))
                  (call-with-current-continuation (lambda (k) (ctak-to k (- y 1) z x)))
                  (call-with-current-continuation (lambda (k) (ctak-to k (- z 1) x y))))))))
(define (run) (ctak 18 12 6))
(define expected 7)
