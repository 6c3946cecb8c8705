export { macOf, readUnits, type ScannedUnit } from '../../../../src/schema/formats'
