/** Before the browser tests: a folder for the demo world that they share. */
export { prepareData as default } from '../../support/preparedData'
