; Ackermann's function: deep recursion that returns and goes on in tail position.
(define (ack m n)
  (cond ((= m 0) (+ n 1))
        ((= n 0) (ack (- m 1) 1))
        (else (ack (- m 1) (ack m (- n 1))))))
(define (run) (ack 3 9))
(define expected 4093)
