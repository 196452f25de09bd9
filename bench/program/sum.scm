; A loop over small integers.
(define (sum-to n)
  (let loop ((i n) (sum 0)) (if (< i 0) sum (loop (- i 1) (+ i sum)))))
(define (run)
  (do ((i 0 (+ i 1)) (last 0 (sum-to 10000))) ((= i 10000) last)))
(define expected 50005000)
