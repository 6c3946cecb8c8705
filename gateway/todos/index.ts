/** What people are reminded of: one row of sys.todo a reminder, told once however often it is said. */
export { giveWay, moveTodos, closeTodos, closeOwnTodos, closeTodosByState, notify, type Todo } from './todos'
