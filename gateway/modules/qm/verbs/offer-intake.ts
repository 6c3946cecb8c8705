export { offerIntake as verb } from '../intake'
