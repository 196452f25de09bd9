; Fibonacci numbers where addition takes its operands through captured continuations.
(define (add1 n k) (k (+ n 1)))
(define (sub1 n k) (k (- n 1)))
(define (addc x y k)
  (if (= y 0) (k x) (add1 x (lambda (x+1) (sub1 y (lambda (y-1) (addc x+1 y-1 k)))))))
(define (fibc n k)
  (if (< n 2)
      (k n)
      (call-with-current-continuation
       (lambda (leave)
         (leave (fibc (- n 1)
                      (lambda (a) (fibc (- n 2) (lambda (b) (addc a b k))))))))))
(define (run) (fibc 18 (lambda (n) n)))
(define expected 2584)
