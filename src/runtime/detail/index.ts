export { default as DetailPage } from './DetailPage'
