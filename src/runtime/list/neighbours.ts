/** Name under which the ids of the shown rows are kept, so that a detail knows its neighbours. */
export const neighboursKey = (entity: string): string => `list-ids:${entity}`
