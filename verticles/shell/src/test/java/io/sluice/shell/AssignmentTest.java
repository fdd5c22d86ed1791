package io.sluice.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AssignmentTest {
    private static final int KEYS = 3000;

    @Test
    void aProcessThatIsAloneHoldsEverything() {
        var share = new Assignment(Peers.ALONE, "agent");

        assertThat(share.mine("a/vm")).isTrue();
        assertThat(share.holder("a/vm")).contains(Peers.ALONE.self().id());
    }

    @Test
    void everyKeyHasOneHolderAmongThoseWithTheRole() {
        var peers = List.of(peer("a", "agent"), peer("b", "agent"), peer("c", "ledger"));

        for (int i = 0; i < KEYS; i++) {
            var key = "ns/vm-" + i;
            var holders = peers.stream()
                    .filter(self -> new Assignment(new PeersView(self, peers), "agent").mine(key))
                    .map(Peer::id)
                    .toList();
            assertThat(holders).hasSize(1).doesNotContain("c");
        }
    }

    @Test
    void keysAreSpreadEvenlyOverIdsThatDifferLittle() {
        var peers = List.of(peer("node-1", "agent"), peer("node-2", "agent"), peer("node-3", "agent"));
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            counts.merge(holder(peers, "ns/vm-" + i), 1, Integer::sum);
        }

        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(850, 1150));
    }

    @Test
    void onlyTheKeysOfTheProcessThatLeftMove() {
        var before = List.of(peer("a", "agent"), peer("b", "agent"), peer("c", "agent"), peer("d", "agent"));
        var after = new ArrayList<>(before);
        after.remove(2);

        for (int i = 0; i < KEYS; i++) {
            var key = "ns/vm-" + i;
            var held = holder(before, key);
            if (!held.equals("c")) {
                assertThat(holder(after, key)).isEqualTo(held);
            }
        }
    }

    @Test
    void noProcessHoldsWhatNoProcessCarries() {
        var self = peer("a", "ledger");
        var share = new Assignment(new PeersView(self, List.of(self)), "agent");

        assertThat(share.holder("k")).isEmpty();
        assertThat(share.nearest("k")).isEmpty();
        assertThat(share.mine("k")).isFalse();
    }

    @Test
    void theNearestIsThisProcessIfItCarriesTheRole() {
        var peers = List.of(peer("a", "monitor"), peer("b", "monitor"), peer("c", "agent"));

        for (int i = 0; i < 50; i++) {
            var key = "ns/vm-" + i;
            assertThat(new Assignment(new PeersView(peers.get(1), peers), "monitor").nearest(key))
                    .contains("b");
            assertThat(new Assignment(new PeersView(peers.get(2), peers), "monitor").nearest(key))
                    .contains(new Assignment(new PeersView(peers.get(2), peers), "monitor")
                            .holder(key)
                            .orElseThrow());
        }
    }

    private static String holder(List<Peer> peers, String key) {
        return new Assignment(new PeersView(peers.getFirst(), peers), "agent")
                .holder(key)
                .orElseThrow();
    }

    private static Peer peer(String id, String... roles) {
        return new Peer(id, Set.of(roles), id + ":5701");
    }

    private record PeersView(Peer self, List<Peer> all) implements Peers {
        @Override
        public List<Peer> oldestFirst() {
            return all;
        }

        @Override
        public Watching watch(Runnable changed) {
            return () -> {};
        }
    }
}
