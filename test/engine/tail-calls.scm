(define (even? n) (if (= n 0) #t (odd? (- n 1))))
(define (odd? n) (if (= n 0) #f (even? (- n 1))))
(even? 100000) ; => #t
(define (count-down n) (cond ((= n 0) 'done) (else (count-down (- n 1)))))
(count-down 100000) ; => done
(define (f n) (and #t (or #f (when #t (let* ((m (- n 1))) (if (< m 0) 'end (apply f (list m))))))))
(f 10000) ; => end
