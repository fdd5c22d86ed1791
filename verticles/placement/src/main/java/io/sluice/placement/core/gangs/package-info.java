/** Gangs: pods that start together or not at all. */
package io.sluice.placement.core.gangs;
