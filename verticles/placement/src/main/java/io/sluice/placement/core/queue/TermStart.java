package io.sluice.placement.core.queue;

import java.util.Optional;

/**
 * The begin of a term in which one process places pods. Binds of the process before it may still take effect, and no
 * list shows them. So each pod that a first full list shows as waiting is touched, after which no earlier bind of it
 * can take effect, and a second list that begins after that shows the binds that did. The process before knew of no pod
 * that the first list lacks, unless that has ended.
 */
public final class TermStart {
    private Optional<Long> term = Optional.empty();
    private Stage stage = Stage.LIST_DUE;
    private boolean listCounts;

    private enum Stage {
        LIST_DUE,
        TOUCHING,
        SECOND_LIST_DUE,
        LEADS
    }

    /** What is to be done. */
    public enum Action {
        NONE,
        /** All pods that wait are to be touched. */
        TOUCH,
        /** Pods are placed from now on. */
        LEAD
    }

    /** Applies the number of the term that this process has now; empty if it has none. */
    public void look(Optional<Long> now) {
        if (!now.equals(term)) {
            term = now;
            stage = Stage.LIST_DUE;
            listCounts = false;
        }
    }

    /** A full list begins. */
    public void listBegun() {
        listCounts = term.isPresent();
    }

    /** A full list has come through. */
    public Action listed() {
        if (!listCounts) {
            return Action.NONE;
        }
        return switch (stage) {
            case LIST_DUE -> {
                stage = Stage.TOUCHING;
                yield Action.TOUCH;
            }
            case SECOND_LIST_DUE -> {
                stage = Stage.LEADS;
                yield Action.LEAD;
            }
            case TOUCHING, LEADS -> Action.NONE;
        };
    }

    /**
     * All pods that waited are touched.
     *
     * @return whether another list is needed; not if the term has ended meanwhile
     */
    public boolean touched(long during) {
        if (!isTouching(during)) {
            return false;
        }
        stage = Stage.SECOND_LIST_DUE;
        listCounts = false;
        return true;
    }

    /** Whether pods are still to be touched for that term. */
    public boolean isTouching(long during) {
        return stage == Stage.TOUCHING
                && term.filter(number -> number == during).isPresent();
    }

    /** Whether pods may be placed. */
    public boolean leads() {
        return stage == Stage.LEADS;
    }
}
