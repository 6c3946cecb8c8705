export { ListView, type ListViewProps } from './ListView'
export { createListController, type ListController, type ListOptions, type ListState, type QueryAnswer } from './controller'
export { type FilterValue, type ListQuery } from '../../headless/list/query'
