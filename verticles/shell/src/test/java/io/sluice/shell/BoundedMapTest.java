package io.sluice.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedMapTest {
    private final List<String> dropped = new ArrayList<>();

    @Test
    void dropsTheEntryThatWasAddedFirst() {
        var map = BoundedMap.<String, Integer>ofNewest(2, (key, value) -> dropped.add(key + value));
        map.put("a", 1);
        map.put("b", 2);
        map.get("a");
        map.put("a", 3);
        map.put("c", 4);

        assertThat(map).containsOnlyKeys("b", "c");
        assertThat(dropped).containsExactly("a3");
    }

    @Test
    void dropsTheEntryThatWasUsedLeastRecently() {
        var map = BoundedMap.<String, Integer>ofLastUsed(2, (key, value) -> dropped.add(key + value));
        map.put("a", 1);
        map.put("b", 2);
        map.get("a");
        map.computeIfAbsent("c", key -> 3);

        assertThat(map).containsOnlyKeys("a", "c");
        assertThat(dropped).containsExactly("b2");
    }
}
