(force (delay (+ 1 2))) ; => 3
(define n 0)
(define p (delay (begin (set! n (+ n 1)) n)))
(list (force p) (force p)) ; => (1 1)
(force (let loop ((n 0)) (delay-force (if (= n 5000) (delay n) (loop (+ n 1)))))) ; => 5000
(force 5) ; => 5
(define r (delay (begin (set! n (+ n 1)) (if (> n 5) n (force r)))))
(force r) ; => 6
