/** What people are reminded of: one row of sys.todo a reminder, told once however often it is said. */
export { giveWay, moveTodos, settle, settleOwn, settleStates, tell, type Todo } from './tell'
