/** Which workers there are, which instance runs where, and what each worker is ordered to do. Pure. */
package io.sluice.workers.core;
