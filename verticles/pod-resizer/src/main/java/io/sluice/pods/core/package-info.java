/** When a pod is resized, withdrawn or refused, and what its samples show. No I/O. */
package io.sluice.pods.core;
