package io.sluice.lab.core;

import java.util.Optional;

/**
 * The findings of the auditor so far.
 *
 * @param checks how often it compared
 * @param breaches how many breaches it found
 * @param firstBreach the first of them, in words
 */
public record AuditReport(long checks, long breaches, Optional<String> firstBreach) {
    /** No comparison yet. */
    public static final AuditReport EMPTY = new AuditReport(0, 0, Optional.empty());
}
