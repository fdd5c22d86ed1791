package io.sluice.neonvm.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BooksAheadTest {
    private static final long KNOWN = 50;

    private final BooksAhead books = new BooksAhead();

    @Test
    void onlyAnOlderListingThatIsBegunAfterwardsShowsAStoreThatWasPutBack() {
        long first = books.begin();
        long underWay = books.begin();
        books.heard("n1", KNOWN);
        long next = books.begin();

        assertThat(books.dated(load("n1", KNOWN - 1), first).putBackFrom()).isEmpty();
        assertThat(books.dated(load("n1", KNOWN - 1), underWay).putBackFrom()).isEmpty();
        assertThat(books.dated(load("n1", KNOWN - 1), next).putBackFrom()).contains(KNOWN);
        assertThat(books.dated(load("n1", KNOWN), next).putBackFrom())
                .as("as new as the books")
                .isEmpty();
        assertThat(books.dated(load("n2", KNOWN - 1), next).putBackFrom())
                .as("another node")
                .isEmpty();
    }

    @Test
    void nothingIsSaidOfANodeThatWasTakenOrIsListedNoMore() {
        books.begin();
        books.heard("n1", KNOWN);
        books.heard("n2", KNOWN);
        books.taken("n1");
        books.keepOnly(Set.of("n1"));
        long next = books.begin();

        assertThat(books.dated(load("n1", 1), next).putBackFrom()).isEmpty();
        assertThat(books.dated(load("n2", 1), next).putBackFrom()).isEmpty();
    }

    @Test
    void oneListingIsWantedForAllNodesThatOneWasTooOldFor() {
        books.begin();

        assertThat(books.heard("n1", KNOWN)).isTrue();
        assertThat(books.heard("n2", KNOWN)).isFalse();

        books.begin();
        assertThat(books.heard("n2", KNOWN)).isTrue();
    }

    private static LoadNode load(String node, long version) {
        return new LoadNode(new NodeSeen(node, 1, new Resources(1, 1)), version, List.of(), List.of());
    }
}
