/** Why a VM or a node stands as it does, asked of a whole process whose lab was given the cause. */
package io.sluice.mysteries;
