/** Writes VMs and migrations: sizes, permits and fences become patches. */
package io.sluice.neonvm.patch;
