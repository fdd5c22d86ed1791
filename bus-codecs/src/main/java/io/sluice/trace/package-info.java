/** What components record about traces, whatever records them: spans, and the one that the current thread works for. */
package io.sluice.trace;
