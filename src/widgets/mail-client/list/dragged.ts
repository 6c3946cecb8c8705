/** What messages are dragged as: their ids. */
export const DRAGGED = 'application/x-switchboard-mail'
