(map + '(1 2 3) '(10 20 30 40)) ; => (11 22 33)
(for-each car 5) ; error: for-each: expected a list, got 5
(filter odd? '(1 2 3 4 5)) ; => (1 3 5)
(fold cons '() '(1 2 3)) ; => (3 2 1)
(fold-left list '() '(1 2 3)) ; => (((() 1) 2) 3)
(fold-right cons '() '(1 2 3)) ; => (1 2 3)
(reduce + 0 '(1 2 3)) ; => 6
(append-map (lambda (x) (list x x)) '(1 2)) ; => (1 1 2 2)
(call-with-values (lambda () (partition even? '(1 2 3 4))) list) ; => ((2 4) (1 3))
(find even? '(1 3 4 5)) ; => 4
(any odd? '(2 4 5)) ; => #t
(every odd? '(1 3 4)) ; => #f
(delete 2 '(1 2 3 2)) ; => (1 3)
(delete-duplicates '(1 2 1 3 2)) ; => (1 2 3)
(assoc 2.0 '((1 one) (2 two)) =) ; => (2 two)
(member "b" '("a" "b" "c")) ; => ("b" "c")
(sort '(3 1 2) <) ; => (1 2 3)
(sort '((1 . b) (0 . a) (1 . a)) (lambda (x y) (< (car x) (car y)))) ; => ((0 . a) (1 . b) (1 . a))
(list-index even? '(1 3 4)) ; => 2
(apply + 1 2 '(3 4)) ; => 10
(apply + (iota 50000)) ; => 1249975000
(vector-map * #(1 2) #(3 4)) ; => #(3 8)
(string-map char-upcase "abc") ; => "ABC"
(let ((t (make-hash-table))) (hash-table-set! t 'a 1) (hash-table-update! t 'a (lambda (x) (+ x 1)) (lambda () 0)) (hash-table-update!/default t 'b (lambda (x) (+ x 1)) 0) (list (hash-table-ref t 'a) (hash-table-ref/default t 'b #f))) ; => (2 1)
(let-values (((in out) (span even? '(2 4 5 6)))) (list in out)) ; => ((2 4) (5 6))
