package io.sluice.lab.core;

import java.util.Optional;

/**
 * What the auditor found so far.
 *
 * @param checks how often it could compare
 * @param breaches how many things it found that must never be
 * @param firstBreach the first of them, in words
 */
public record AuditReport(long checks, long breaches, Optional<String> firstBreach) {
    /** Nothing was compared yet. */
    public static final AuditReport EMPTY = new AuditReport(0, 0, Optional.empty());
}
