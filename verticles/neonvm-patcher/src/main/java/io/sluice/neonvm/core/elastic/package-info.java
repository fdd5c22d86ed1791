/** Objects of elastic jobs, and of what they scale. Pure. */
package io.sluice.neonvm.core.elastic;
