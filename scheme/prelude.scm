;;; The procedures of the language that call procedures they are given. Compiled when the program is
;;; built. They rest on the builtins of src/engine/control.ts, whose names begin with a percent sign;
;;; a program that redefines a name does not change what is defined here.

;;; Dynamic state (R7RS 4.2.6, 6.10, 6.11). A state is immutable; setting it and setting it back
;;; brackets a computation. Frames do not hold it: a continuation carries its own.

(define (%with-state state thunk)
  (let ((before (%state)))
    (%set-state state)
    (let ((result (thunk)))
      (%set-state before)
      result)))

(define (dynamic-wind before thunk after)
  "Calls before, thunk and after; the outer two each time control enters or leaves thunk."
  (before)
  (let ((state (%state)))
    (%set-state (%with-winders state (cons (vector before after state) (%state-winders state))))
    (let ((result (thunk)))
      (%set-state state)
      (after)
      result)))

;; Leaves and enters dynamic-winds on the way to the winders of a continuation, then calls finish.
(define (%rewind target finish)
  (let ((common (%common-tail (%state-winders (%state)) target)))
    (let leave ((winders (%state-winders (%state))))
      (if (not (eq? winders common))
          (let ((winder (car winders)))
            (%set-state (vector-ref winder 2))
            ((vector-ref winder 1))
            (leave (cdr winders)))))
    (let enter ((winders target))
      (if (not (eq? winders common))
          (begin
            (enter (cdr winders))
            (let ((winder (car winders)))
              (%set-state (vector-ref winder 2))
              ((vector-ref winder 0))))))
    (finish)))

(%set-rewind %rewind)

(define (exit . code)
  "Leaves the dynamic-winds under way, then ends the program: with 0, or as emergency-exit says."
  (%rewind '() (lambda () (apply emergency-exit code))))

(define (with-exception-handler handler thunk)
  "Calls thunk with handler as the innermost exception handler."
  (let ((state (%state)))
    (%with-state (%with-handlers state (cons handler (%state-handlers state))) thunk)))

(define (raise obj)
  "Calls the innermost handler with obj; it is an error for the handler to return."
  (let* ((state (%state))
         (handlers (%state-handlers state)))
    (if (null? handlers)
        (%uncaught obj #f)
        (begin
          (%set-state (%with-handlers state (cdr handlers)))
          ((car handlers) obj)
          (%handler-returned obj)))))

(define (raise-continuable obj)
  "Calls the innermost handler with obj and returns what it returns."
  (let* ((state (%state))
         (handlers (%state-handlers state)))
    (if (null? handlers)
        (%uncaught obj #t)
        (%with-state (%with-handlers state (cdr handlers))
                     (lambda () ((car handlers) obj))))))

;; What `guard` becomes: handle gets the condition and a thunk that raises it again where it was raised.
(define (%guard body handle)
  ((call/cc
    (lambda (leave)
      (with-exception-handler
       (lambda (condition)
         ((call/cc
           (lambda (return)
             (leave
              (lambda ()
                (handle condition
                        (lambda ()
                          (return (lambda () (raise-continuable condition)))))))))))
       (lambda ()
         (let ((result (body)))
           (lambda () result))))))))

(define (make-parameter value . converter)
  "Returns a dynamic parameter; converter is applied to value and to what parameterize binds."
  (if (null? converter)
      (%make-parameter value #f)
      (%make-parameter ((car converter) value) (car converter))))

(define (%parameterize bindings thunk)
  (let bind ((bindings bindings) (state (%state)))
    (if (null? bindings)
        (%with-state state thunk)
        (let* ((parameter (car bindings))
               (convert (%parameter-converter parameter))
               (value (cadr bindings)))
          (bind (cddr bindings)
                (%with-parameter state parameter (if convert (convert value) value)))))))

(define (call-with-values producer consumer)
  "Calls consumer with the values that producer returns."
  (%apply-values consumer (producer)))

(define (force promise)
  "Returns the value of a promise, computed at most once."
  (if (promise? promise)
      (let loop ()
        (if (%promise-done? promise)
            (%promise-value promise)
            (let ((next ((%promise-value promise))))
              (if (not (%promise-done? promise)) (%promise-adopt promise next))
              (loop))))
      promise))

(define (call-with-escape-continuation procedure)
  "As call/cc, for a continuation that is only used to leave."
  (call/cc procedure))

;;; Fibers.

(define (parallel . thunks)
  "Calls the thunks in fibers of their own and returns the list of their values, in order."
  (parallel-map (lambda (thunk) (thunk)) thunks))

(define (parallel-map procedure items)
  "As map, with each call in a fiber of its own."
  (let ((fibers (map (lambda (item) (spawn (lambda () (procedure item)))) items)))
    (map join fibers)))

(define (label-scope thunk)
  "Calls thunk; what its control flow depended on labels its result instead of the caller."
  (let* ((before (%fiber-label))
         (result (thunk)))
    (%leave-label-scope before result)))

;;; Lists (R7RS 6.4, SRFI 1).

(define (%check-list who items)
  (if (not (list? items)) (%wrong-type who "a list" items)))

;; The cars and the cdrs of some lists; #f when one of them is at its end.
(define (%cars lists)
  (let loop ((lists lists) (cars '()))
    (cond ((null? lists) (reverse cars))
          ((pair? (car lists)) (loop (cdr lists) (cons (caar lists) cars)))
          (else #f))))

(define (%cdrs lists)
  (if (null? lists) '() (cons (cdar lists) (%cdrs (cdr lists)))))

;; `rest` is what is left of the list, `items` the whole of it, for the error.
(define (%map procedure rest items)
  (cond ((pair? rest)
         (let ((value (procedure (car rest))))
           (cons value (%map procedure (cdr rest) items))))
        ((null? rest) '())
        (else (%wrong-type "map" "a list" items))))

(define (map procedure items . more)
  "Applies procedure to the elements of the lists in turn and returns the list of the results."
  (if (null? more)
      (%map procedure items items)
      (let loop ((lists (cons items more)))
        (let ((cars (%cars lists)))
          (if cars
              (let ((value (apply procedure cars)))
                (cons value (loop (%cdrs lists))))
              '())))))

(define (%for-each procedure items)
  (let loop ((rest items))
    (cond ((pair? rest) (procedure (car rest)) (loop (cdr rest)))
          ((not (null? rest)) (%wrong-type "for-each" "a list" items)))))

(define (for-each procedure items . more)
  "Applies procedure to the elements of the lists in turn, for its effect."
  (if (null? more)
      (%for-each procedure items)
      (let loop ((lists (cons items more)))
        (let ((cars (%cars lists)))
          (if cars
              (begin (apply procedure cars) (loop (%cdrs lists))))))))

(define (append-map procedure items . more)
  "Appends the lists that procedure returns for the elements."
  (apply append (apply map procedure items more)))

(define (filter-map procedure items . more)
  "The results of map that are not #f."
  (filter (lambda (value) value) (apply map procedure items more)))

(define (filter keep? items)
  "The elements for which keep? is true, in order."
  (%check-list "filter" items)
  (let loop ((rest items) (kept '()))
    (cond ((null? rest) (reverse kept))
          ((keep? (car rest)) (loop (cdr rest) (cons (car rest) kept)))
          (else (loop (cdr rest) kept)))))

(define (remove drop? items)
  "The elements for which drop? is false, in order."
  (filter (lambda (item) (not (drop? item))) items))

(define (partition in? items)
  "Two values: the elements for which in? is true, and the others."
  (%check-list "partition" items)
  (let loop ((rest items) (in '()) (out '()))
    (cond ((null? rest) (values (reverse in) (reverse out)))
          ((in? (car rest)) (loop (cdr rest) (cons (car rest) in) out))
          (else (loop (cdr rest) in (cons (car rest) out))))))

(define (%fold combine seed items)
  (%check-list "fold" items)
  (let loop ((rest items) (result seed))
    (if (null? rest) result (loop (cdr rest) (combine (car rest) result)))))

(define (fold combine seed items . more)
  "Combines the elements from left to right: (combine element so-far)."
  (if (null? more)
      (%fold combine seed items)
      (let loop ((lists (cons items more)) (result seed))
        (let ((cars (%cars lists)))
          (if cars
              (loop (%cdrs lists) (apply combine (append cars (list result))))
              result)))))

(define (%fold-left combine seed items)
  (%check-list "fold-left" items)
  (let loop ((rest items) (result seed))
    (if (null? rest) result (loop (cdr rest) (combine result (car rest))))))

(define (fold-left combine seed items . more)
  "Combines the elements from left to right: (combine so-far element)."
  (if (null? more)
      (%fold-left combine seed items)
      (let loop ((lists (cons items more)) (result seed))
        (let ((cars (%cars lists)))
          (if cars
              (loop (%cdrs lists) (apply combine result cars))
              result)))))

(define (%fold-right combine seed items)
  (%check-list "fold-right" items)
  (let loop ((rest (reverse items)) (result seed))
    (if (null? rest) result (loop (cdr rest) (combine (car rest) result)))))

(define (fold-right combine seed items . more)
  "Combines the elements from right to left: (combine element so-far)."
  (if (null? more)
      (%fold-right combine seed items)
      (let loop ((lists (cons items more)))
        (let ((cars (%cars lists)))
          (if cars
              (apply combine (append cars (list (loop (%cdrs lists)))))
              seed)))))

(define (reduce combine default items)
  "As fold, with the first element as seed; default where the list is empty."
  (%check-list "reduce" items)
  (if (null? items) default (fold combine (car items) (cdr items))))

(define (reduce-right combine default items)
  "As fold-right, with the last element as seed; default where the list is empty."
  (%check-list "reduce-right" items)
  (if (null? items)
      default
      (let ((backwards (reverse items)))
        (fold combine (car backwards) (cdr backwards)))))

(define (find found? items)
  "The first element for which found? is true, or #f."
  (let ((tail (find-tail found? items)))
    (and tail (car tail))))

(define (find-tail found? items)
  "The list from the first element for which found? is true, or #f."
  (%check-list "find" items)
  (let loop ((rest items))
    (cond ((null? rest) #f)
          ((found? (car rest)) rest)
          (else (loop (cdr rest))))))

(define (%any holds? items)
  (%check-list "any" items)
  (let loop ((rest items))
    (cond ((null? rest) #f)
          ((null? (cdr rest)) (holds? (car rest)))
          (else (or (holds? (car rest)) (loop (cdr rest)))))))

(define (any holds? items . more)
  "The first true result of holds? for the elements, or #f."
  (if (null? more)
      (%any holds? items)
      (let loop ((lists (cons items more)))
        (let ((cars (%cars lists)))
          (and cars (or (apply holds? cars) (loop (%cdrs lists))))))))

(define (%every holds? items)
  (%check-list "every" items)
  (let loop ((rest items))
    (cond ((null? rest) #t)
          ((null? (cdr rest)) (holds? (car rest)))
          (else (and (holds? (car rest)) (loop (cdr rest)))))))

(define (every holds? items . more)
  "The last result of holds? where all are true, else #f."
  (if (null? more)
      (%every holds? items)
      (let loop ((lists (cons items more)) (last #t))
        (let ((cars (%cars lists)))
          (if cars
              (let ((value (apply holds? cars)))
                (and value (loop (%cdrs lists) value)))
              last)))))

(define (count holds? items)
  "How many elements holds? is true for."
  (fold (lambda (item n) (if (holds? item) (+ n 1) n)) 0 items))

(define (list-index found? items)
  "The index of the first element for which found? is true, or #f."
  (%check-list "list-index" items)
  (let loop ((rest items) (i 0))
    (cond ((null? rest) #f)
          ((found? (car rest)) i)
          (else (loop (cdr rest) (+ i 1))))))

(define (delete item items . same)
  "The elements that are not equal? to item."
  (let ((same? (if (null? same) equal? (car same))))
    (remove (lambda (other) (same? item other)) items)))

(define (delete-duplicates items . same)
  "The elements without those that are equal? to an earlier one."
  (let ((same? (if (null? same) equal? (car same))))
    (let loop ((rest items) (kept '()))
      (cond ((null? rest) (reverse kept))
            ((any (lambda (other) (same? other (car rest))) kept) (loop (cdr rest) kept))
            (else (loop (cdr rest) (cons (car rest) kept)))))))

(define (take-while keep? items)
  "The elements before the first for which keep? is false."
  (let loop ((rest items) (kept '()))
    (if (and (pair? rest) (keep? (car rest)))
        (loop (cdr rest) (cons (car rest) kept))
        (reverse kept))))

(define (drop-while drop? items)
  "The list from the first element for which drop? is false."
  (let loop ((rest items))
    (if (and (pair? rest) (drop? (car rest))) (loop (cdr rest)) rest)))

(define (span keep? items)
  "Two values: what take-while and drop-while give."
  (values (take-while keep? items) (drop-while keep? items)))

(define (break stop? items)
  "As span, up to the first element for which stop? is true."
  (span (lambda (item) (not (stop? item))) items))

(define (list-tabulate n procedure)
  "The list of the results of procedure for 0 up to n."
  (let loop ((i (- n 1)) (items '()))
    (if (< i 0) items (loop (- i 1) (cons (procedure i) items)))))

(define (unfold stop? mapper successor seed . tail)
  "The list of (mapper seed) for seed and its successors until stop?."
  (let loop ((seed seed) (items '()))
    (if (stop? seed)
        (append-reverse items (if (null? tail) '() ((car tail) seed)))
        (loop (successor seed) (cons (mapper seed) items)))))

(define (assoc key items . same)
  "The first pair of an association list whose car is equal? to key, or #f."
  (if (null? same)
      (%assoc key items)
      (let loop ((rest items))
        (cond ((null? rest) #f)
              (((car same) key (caar rest)) (car rest))
              (else (loop (cdr rest)))))))

(define (member item items . same)
  "The list from the first element that is equal? to item, or #f."
  (if (null? same)
      (%member item items)
      (find-tail (lambda (other) ((car same) item other)) items)))

;;; Sorting (SRFI 95, 132): a stable merge sort.

(define (%merge a b less?)
  (let loop ((a a) (b b) (merged '()))
    (cond ((null? a) (append-reverse merged b))
          ((null? b) (append-reverse merged a))
          ((less? (car b) (car a)) (loop a (cdr b) (cons (car b) merged)))
          (else (loop (cdr a) b (cons (car a) merged))))))

(define (%sort-list items less?)
  (let sort ((items items) (n (length items)))
    (if (< n 2)
        (if (= n 0) '() (list (car items)))
        (let ((half (quotient n 2)))
          (%merge (sort items half) (sort (list-tail items half) (- n half)) less?)))))

(define (sort items less?)
  "The elements of a list or vector in order; equal ones keep theirs."
  (cond ((vector? items) (list->vector (%sort-list (vector->list items) less?)))
        ((list? items) (%sort-list items less?))
        ((procedure? items) (sort less? items))
        (else (%wrong-type "sort" "a list or a vector" items))))

(define (list-sort less? items)
  "As sort, with the arguments the other way round."
  (sort items less?))

(define (sort! items less?)
  "Puts the elements of a vector in order."
  (if (vector? items)
      (let ((sorted (sort items less?)))
        (vector-copy! items 0 sorted)
        items)
      (sort items less?)))

;;; Vectors and strings.

;; With a list of the results, so that a continuation of procedure that is gone on with twice sees no
;; vector that another way has filled.
(define (%vector-map procedure items)
  (let ((n (vector-length items)))
    (let loop ((i 0) (results '()))
      (if (< i n)
          (loop (+ i 1) (cons (procedure (vector-ref items i)) results))
          (list->vector (reverse results))))))

(define (vector-map procedure items . more)
  "The vector of the results of procedure for the elements."
  (if (null? more)
      (%vector-map procedure items)
      (list->vector (apply map procedure (vector->list items) (map vector->list more)))))

(define (%vector-for-each procedure items)
  (let ((n (vector-length items)))
    (let loop ((i 0))
      (if (< i n)
          (begin (procedure (vector-ref items i)) (loop (+ i 1)))))))

(define (vector-for-each procedure items . more)
  "Applies procedure to the elements of the vectors in turn, for its effect."
  (if (null? more)
      (%vector-for-each procedure items)
      (apply for-each procedure (vector->list items) (map vector->list more))))

(define (string-map procedure text . more)
  "The string of the characters that procedure returns for those of the strings."
  (list->string (apply map procedure (string->list text) (map string->list more))))

(define (%string-for-each procedure text)
  (%for-each procedure (string->list text)))

(define (string-for-each procedure text . more)
  "Applies procedure to the characters of the strings in turn, for its effect."
  (if (null? more)
      (%string-for-each procedure text)
      (apply for-each procedure (string->list text) (map string->list more))))

(define (string-count text holds?)
  "How many characters holds? is true for."
  (count holds? (string->list text)))

(define (string-index text wanted)
  "The index of the first character that is wanted, or for which wanted is true; or #f."
  (if (procedure? wanted)
      (list-index wanted (string->list text))
      (%string-index text wanted)))

(define (format destination . arguments)
  "Fills in a template: ~a as display, ~s as write, ~d a number, ~% a line's end. The destination is #f
for a string, #t for the current output port, or a port; it may be left out."
  (if (string? destination)
      (%format destination arguments)
      (let ((text (%format (car arguments) (cdr arguments))))
        (cond ((not destination) text)
              ((eq? destination #t) (write-string text))
              (else (write-string text destination))))))

;;; Hash tables (SRFI 69).

(define %missing (list 'missing))

(define (hash-table-ref table key . handlers)
  "The value of key; where there is none, what the thunk given after it returns."
  (let ((value (hash-table-ref/default table key %missing)))
    (cond ((not (eq? value %missing))
           (if (and (pair? handlers) (pair? (cdr handlers))) ((cadr handlers) value) value))
          ((pair? handlers) ((car handlers)))
          (else (error "hash-table-ref: no such key" key)))))

(define (hash-table-update! table key change . default)
  "Sets the value of key to what change makes of it; default is a thunk for a key that is not there."
  (hash-table-set! table key (change (apply hash-table-ref table key default))))

(define (hash-table-update!/default table key change default)
  "As hash-table-update!, with the value itself as default."
  (hash-table-set! table key (change (hash-table-ref/default table key default))))

(define (hash-table-walk table procedure)
  "Calls procedure with each key and its value."
  (for-each (lambda (entry) (procedure (car entry) (cdr entry))) (hash-table->alist table)))

(define (hash-table-fold table combine seed)
  "Combines the entries: (combine key value so-far)."
  (fold (lambda (entry result) (combine (car entry) (cdr entry) result)) seed (hash-table->alist table)))

;;; Ports.

(define (call-with-port port procedure)
  "Calls procedure with port, closes the port, and returns what procedure returned."
  (let ((result (procedure port)))
    (close-port port)
    result))

;; With a port that is the current one while thunk runs, and closed when it returns.
(define (%with-port parameter port thunk)
  (call-with-port port (lambda (port) (%parameterize (list parameter port) thunk))))

(define (call-with-input-file path procedure)
  "Calls procedure with a port that reads a file, and closes the port."
  (call-with-port (open-input-file path) procedure))

(define (call-with-output-file path procedure)
  "Calls procedure with a port that writes a file, and closes the port."
  (call-with-port (open-output-file path) procedure))

(define (with-input-from-file path thunk)
  "Calls thunk with the current input port reading a file."
  (%with-port current-input-port (open-input-file path) thunk))

(define (with-output-to-file path thunk)
  "Calls thunk with the current output port writing a file."
  (%with-port current-output-port (open-output-file path) thunk))

(define (call-with-output-string procedure)
  "The text that procedure writes to the port it is called with."
  (let ((port (open-output-string)))
    (procedure port)
    (get-output-string port)))

(define (with-output-to-string thunk)
  "The text that thunk writes to the current output port."
  (let ((port (open-output-string)))
    (%parameterize (list current-output-port port) thunk)
    (get-output-string port)))

;;; Tracing, for the terminal's ,trace.

(define %trace-depth (make-parameter 0))
(define %traced (make-strong-eq-hash-table))

(define (%trace-line depth write-rest)
  (do ((i 0 (+ i 1))) ((= i depth)) (display "| "))
  (write-rest)
  (newline))

(define (%trace name procedure)
  (define (wrapper . arguments)
    (let ((depth (%trace-depth)))
      (%trace-line depth (lambda () (write (cons name arguments))))
      (let ((result (%parameterize (list %trace-depth (+ depth 1)) (lambda () (apply procedure arguments)))))
        (%trace-line depth (lambda () (display "-> ") (write result)))
        result)))
  (if (not (procedure? procedure)) (%wrong-type "trace" "a procedure" procedure))
  (hash-table-set! %traced wrapper procedure)
  wrapper)

(define (%untrace procedure)
  (hash-table-ref/default %traced procedure procedure))
