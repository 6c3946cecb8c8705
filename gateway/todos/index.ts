/** What people are reminded of: one row of sys.todo a reminder, told once however often it is said. */
export { registerTodos, WAITING_KINDS } from './service'
export { settle, settleOwn, tell, type Todo } from './tell'
