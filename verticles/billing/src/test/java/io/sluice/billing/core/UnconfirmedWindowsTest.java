package io.sluice.billing.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnconfirmedWindowsTest {
    private final UnconfirmedWindows windows = new UnconfirmedWindows(1_000, 3);
    private final Map<String, Long> waiting = new HashMap<>(Map.of("http", 0L, "file", 0L));
    private long setAside;

    @Test
    void aWindowIsConfirmedOnceItHasLeftEveryQueue() {
        windows.add("w1", 100, Map.of("http", 20, "file", 20));
        windows.add("w2", 100, Map.of("http", 10, "file", 10));
        waiting.put("http", 30L);
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).isEmpty();
        waiting.put("http", 11L);
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).isEmpty();
        waiting.put("http", 10L);
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).containsExactly("w1");
        waiting.put("http", 0L);
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).containsExactly("w2");
        assertThat(windows.bytes()).isZero();
    }

    @Test
    void whatWaitedBeforeDelaysOnly() {
        waiting.put("http", 520L);
        windows.add("w1", 100, Map.of("http", 20));
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).isEmpty();
        waiting.put("http", 0L);
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).containsExactly("w1");
    }

    @Test
    void beyondItsBoundsWindowsHaveNoCopy() {
        assertThat(windows.add("w1", 600, Map.of("http", 1))).isTrue();
        assertThat(windows.add("large", 600, Map.of("http", 1))).isFalse();
        assertThat(windows.add("w2", 100, Map.of("http", 1))).isTrue();
        assertThat(windows.add("w3", 100, Map.of("http", 1))).isTrue();
        assertThat(windows.add("fourth", 1, Map.of("http", 1))).isFalse();
        assertThat(windows.withoutCopy()).isEqualTo(2);

        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).containsExactly("w1", "w2", "w3");
        assertThat(windows.withoutCopy()).isZero();
        assertThat(windows.add("w4", 900, Map.of("http", 1))).isTrue();
    }

    /** Rows of the second window are set aside as damaged. What waits then is less, but the first one still waits. */
    @Test
    void afterRowsWereSetAsideCopiesStayForTheNextLeader() {
        windows.takeConfirmed(waiting::get, () -> setAside);
        windows.add("w1", 100, Map.of("http", 10));
        windows.add("w2", 100, Map.of("http", 10));
        waiting.put("http", 10L);
        setAside = 10;
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).isEmpty();
        waiting.put("http", 0L);
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).isEmpty();
        assertThat(windows.bytes()).isEqualTo(200);
        assertThat(windows.withoutCopy()).isZero();

        windows.add("w3", 100, Map.of("http", 10));
        waiting.put("http", 10L);
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).isEmpty();
        waiting.put("http", 0L);
        assertThat(windows.takeConfirmed(waiting::get, () -> setAside)).containsExactly("w3");
    }
}
