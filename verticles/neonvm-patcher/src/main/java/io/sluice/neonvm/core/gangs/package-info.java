/** The objects of gangs. */
package io.sluice.neonvm.core.gangs;
