package io.sluice.simulation.exhaustive;

import io.sluice.simulation.exhaustive.Setup.Budget;
import io.sluice.simulation.exhaustive.digest.Digest;
import java.util.Arrays;

/** A state of the whole system: a few numbers, most of which stand for a value in {@link Model}. */
final class SystemState {
    private static final int RUNNERS = 0;
    private static final int VMS = RUNNERS + Setup.VMS;
    private static final int NODES = VMS + Setup.VMS;
    private static final int STALE = NODES + Setup.NODES.size();
    private static final int PODS = STALE + Setup.NODES.size();
    private static final int PLACERS = PODS + Setup.PODS_MAX;
    private static final int CLOCK = PLACERS + PlacementSteps.PLACERS;
    private static final int COPIES = CLOCK + 1;
    private static final int LISTS = COPIES + 1;
    private static final int FAULTS = LISTS + 1;
    private static final int BUDGETS = FAULTS + 1;
    private static final int MESSAGES = BUDGETS + Budget.values().length;

    private int[] words;

    private SystemState(int[] words) {
        this.words = words;
    }

    static SystemState blank() {
        return new SystemState(new int[MESSAGES]);
    }

    SystemState copy() {
        return new SystemState(words.clone());
    }

    int runner(int vm) {
        return words[RUNNERS + vm];
    }

    void runner(int vm, int runner) {
        words[RUNNERS + vm] = runner;
    }

    int vm(int vm) {
        return words[VMS + vm];
    }

    void vm(int vm, int state) {
        words[VMS + vm] = state;
    }

    int node(int node) {
        return words[NODES + node];
    }

    void node(int node, int state) {
        words[NODES + node] = state;
    }

    /** The node state of the process that was cut off, plus one; 0 if none was cut off. */
    int stale(int node) {
        return words[STALE + node];
    }

    void stale(int node, int state) {
        words[STALE + node] = state;
    }

    int pod(int pod) {
        return words[PODS + pod];
    }

    void pod(int pod, int state) {
        words[PODS + pod] = state;
    }

    int placer(int placer) {
        return words[PLACERS + placer];
    }

    void placer(int placer, int state) {
        words[PLACERS + placer] = state;
    }

    int clock() {
        return words[CLOCK];
    }

    void clock(int clock) {
        words[CLOCK] = clock;
    }

    /** Number of ledger processes that hold the current state. */
    int copies() {
        return words[COPIES];
    }

    void copies(int copies) {
        words[COPIES] = copies;
    }

    /** Number of full lists that were begun. */
    int lists() {
        return words[LISTS];
    }

    void lists(int lists) {
        words[LISTS] = lists;
    }

    boolean may(Budget budget) {
        return words[BUDGETS + budget.ordinal()] > 0 && (!budget.isFault() || words[FAULTS] > 0);
    }

    int left(Budget budget) {
        return words[BUDGETS + budget.ordinal()];
    }

    void budgets(Setup setup) {
        words[FAULTS] = setup.faults();
        for (var budget : Budget.values()) {
            words[BUDGETS + budget.ordinal()] = setup.budget(budget);
        }
    }

    void spend(Budget budget) {
        words[BUDGETS + budget.ordinal()]--;
        words[FAULTS] -= budget.isFault() ? 1 : 0;
    }

    int messages() {
        return words.length - MESSAGES;
    }

    int message(int at) {
        return words[MESSAGES + at];
    }

    /** Adds a message. Messages are sorted, as their order has no meaning. */
    void add(int message) {
        int at = words.length;
        words = Arrays.copyOf(words, at + 1);
        while (at > MESSAGES && words[at - 1] > message) {
            words[at] = words[at - 1];
            at--;
        }
        words[at] = message;
    }

    void remove(int at) {
        var less = Arrays.copyOf(words, words.length - 1);
        System.arraycopy(words, MESSAGES + at + 1, less, MESSAGES + at, less.length - MESSAGES - at);
        words = less;
    }

    /** Whether only messages differ. */
    boolean isLikeWithoutMessages(SystemState other) {
        return Arrays.equals(words, 0, BUDGETS, other.words, 0, BUDGETS);
    }

    boolean isLike(SystemState other) {
        return Arrays.equals(words, other.words);
    }

    Digest digest() {
        var digest = new Digest();
        for (int i = 0; i + 1 < words.length; i += 2) {
            digest.add((long) words[i] << Integer.SIZE | words[i + 1]);
        }
        digest.add(words.length % 2 == 0 ? -1 : words[words.length - 1]);
        return digest;
    }
}
