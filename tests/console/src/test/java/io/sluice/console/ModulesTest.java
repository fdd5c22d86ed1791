package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.console.api.ConsoleServer;
import io.sluice.console.api.ScriptedApi;
import io.sluice.console.api.SyntheticFleet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The console's pure modules, called in the browser. */
class ModulesTest {
    private static ConsoleServer server;
    private static Page page;

    @BeforeAll
    static void opensThePageOnce() {
        BrowserTest.needsABrowser();
        server = new ConsoleServer(new ScriptedApi(SyntheticFleet.small()));
        page = Chromium.shared().open();
        page.go(server.url()).awaitFleet();
    }

    @AfterAll
    static void closesIt() {
        if (page != null) {
            page.close();
            server.close();
        }
    }

    static Stream<Arguments> figures() {
        return Stream.of(
                Arguments.of("units", "cpu(250)", "250m"),
                Arguments.of("units", "cpu(1500)", "1.5"),
                Arguments.of("units", "cpu(0)", "0"),
                Arguments.of("units", "cpu(null)", "\u2013"),
                Arguments.of("units", "cpu(12345678)", "12\u202f345.7"),
                Arguments.of("units", "bytes(0)", "0"),
                Arguments.of("units", "bytes(1023)", "1023 B"),
                Arguments.of("units", "bytes(4 * 2 ** 30)", "4 GiB"),
                Arguments.of("units", "bytes(1.5 * 2 ** 30)", "1.5 GiB"),
                Arguments.of("units", "bytes(785.4 * 2 ** 20)", "785 MiB"),
                Arguments.of("units", "amount([750, 3 * 2 ** 30])", "750m / 3 GiB"),
                Arguments.of("units", "amount(null)", "\u2013"),
                Arguments.of("units", "ofWhole(0, 250, 1000)", "250m of 1 core"),
                Arguments.of("units", "ofWhole(0, 7250, 8000)", "7.25 of 8 cores"),
                Arguments.of("units", "percent(1, 0)", "\u2013"),
                Arguments.of("units", "micros(471)", "471 \u00b5s"),
                Arguments.of("units", "micros(1234)", "1.2 ms"),
                Arguments.of("units", "micros(2500000)", "2.5 s"),
                Arguments.of("units", "number(-0.001)", "0"),
                Arguments.of("units", "number(-2.5)", "\u22122.5"),
                Arguments.of("time", "duration(4400)", "4 s"),
                Arguments.of("time", "duration(-5)", "0 s"),
                Arguments.of("time", "duration(3 * 60e3 + 59e3)", "3 min"),
                Arguments.of("time", "duration(125 * 60e3)", "2 h 5 min"),
                Arguments.of("time", "duration(5 * 86400e3)", "5 d"),
                Arguments.of("words", "groupOf({ autoscaled: true, waiting: 'ROOM' })", "room"),
                Arguments.of("words", "groupOf({ autoscaled: false, waiting: 'ROOM' })", "off"),
                Arguments.of("words", "groupOf({ autoscaled: true, waiting: 'OF_LATER' })", "working"),
                Arguments.of("words", "waitingWord({ autoscaled: true, waiting: 'OF_LATER' })", "of_later"),
                Arguments.of("words", "filterOf('MOVED')", "moves"),
                Arguments.of("words", "filterOf('OF_LATER')", "other"),
                Arguments.of("router", "vmHref('a b/c%')", "#/vm/a%20b/c%25"),
                Arguments.of("router", "parse('#/vm/a%20b/c%25?at=5').params.name", "c%"),
                Arguments.of("router", "parse('#/no/such').page", "missing"),
                Arguments.of("vm/charts", "String(niceStep(16 * 2 ** 30, 1) / 2 ** 30)", "4"),
                Arguments.of("vm/charts", "String(niceStep(4000, 0))", "1000"),
                Arguments.of(
                        "vm/bill",
                        "[...meanSizes({ at: [0, 1800e3, 3600e3, 5400e3], cpuSize: [1000, 3000, null, 500] },"
                                + " 9000e3)].join()",
                        "0,2000,3600000,500,7200000,500"),
                Arguments.of(
                        "vm/bill",
                        "hoursOf({ since: 7300e3, hours: [{ at: 3600e3, computeSeconds: 5 }] }, 11000e3)"
                                + ".map((hour) => hour.at / 3600e3 + ':' + hour.computeSeconds).join()",
                        "3:0,2:0,1:5"),
                Arguments.of(
                        "vm/bill",
                        "String(hoursOf({ since: 0, hours: [] }, 1000 * 3600e3).map((row) => row.at).length)",
                        "24"),
                Arguments.of("words", "kindWord('DENIED_DOWNSCALE')", "denied downscale"),
                Arguments.of("words", "kindWord('UNDER_PRESSURE')", "pressure"),
                Arguments.of("words", "kindTone('ROOM')", "room"),
                Arguments.of(
                        "config/page",
                        "[...bySection([{ key: 'a.b.c' }, { key: 'a.d' }, { key: 'e' }])]"
                                + ".map(([section, keys]) => section + ':' + keys.map((each) => each.name)).join(' ')",
                        "a:b.c,d e:e"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("figures")
    void writesFiguresAsUsersDo(String module, String call, String text) {
        assertThat(module(module, call).asText()).isEqualTo(text);
    }

    @Test
    void cutsEventsWhereverTheirPiecesEnd() {
        var received = module("sse", """
            [1, 2, 3, 7, 1000].map((size) => {
              const received = [];
              const cutter = new EventCutter((name, data) => received.push(name + '=' + data));
              const text = 'event: fleet\\ndata: {"a":1}\\n\\n: a remark\\n\\ndata:x\\r\\ndata: y\\n\\n';
              for (let at = 0; at < text.length; at += size) cutter.take(text.slice(at, at + size));
              return received.join('|');
            })
            """);
        assertThat(received)
                .hasSize(5)
                .allSatisfy(each -> assertThat(each.asText()).isEqualTo("fleet={\"a\":1}|message=x\ny"));
    }

    @Test
    void countsHowOftenSomethingHappened() {
        var counts = module("fleet", """
            (() => {
              const rate = new Rate();
              [5, 15, 25, 62, 63].forEach((second) => rate.add(second * 1000));
              return [rate.perMinute(64e3), rate.perMinute(125e3), rate.steps(64e3, 3)];
            })()
            """);
        assertThat(counts.toString()).isEqualTo("[4,0,[0,0,2]]");
    }

    /** A point inside a drawn item maps to that item; and no tile leaves its card. */
    @Test
    void findsWhatItHasPlaced() {
        var wrong = module("map/layout", """
            DENSITIES.flatMap((density) => [1, 2, 5, 40].flatMap((many) => {
              const nodes = Array.from({ length: many }, (_, n) => ({ name: 'n' + n, slots: (n * 7) % 31 }));
              const all = arrange(nodes, 1003, density);
              return all.cards.flatMap((card, index) => Array.from({ length: card.slots }, (_, slot) => {
                const box = tileBox(all, card, slot);
                const found = at(all, box.x + box.width / 2, box.y + box.height / 2);
                const outside = box.x + box.width > card.x + card.width || box.y + box.height > card.y + card.height;
                return outside || found?.card !== index || found?.slot !== slot ? [density.id, many, index, slot] : [];
              }));
            })).filter((each) => each.length > 0)
            """);
        assertThat(wrong).isEmpty();
    }

    /** From anywhere, each key leads to a place on the map; and every place can be reached. */
    @Test
    void walksEverywhere() {
        var observed = module("map/layout", """
            (() => {
              const nodes = [4, 0, 9, 1, 3].map((slots, n) => ({ name: 'n' + n, slots }));
              const all = arrange(nodes, 700, DENSITIES[2]);
              const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'];
              const seen = new Set(['0/-1']);
              for (const at of seen) {
                const [card, slot] = at.split('/').map(Number);
                if (!all.cards[card] || slot < -1 || slot >= all.cards[card].slots) throw new Error(at);
                const reached = keys.map((key) => step(all, { card, slot }, key));
                reached.forEach((next) => seen.add(next.card + '/' + next.slot));
              }
              return seen.size;
            })()
            """);
        assertThat(observed.asInt()).as("five nodes and their seventeen VMs").isEqualTo(22);
    }

    /** A bar's parts follow each other and end within it, even if more is reserved than the total. */
    @Test
    void fitsWhateverIsPromisedIntoABar() {
        var odd = module("map/bars", """
            [[10, 5, 1, 1, 0, 0], [10, 12, 3, 0, 4, 5], [0, 0, 0, 0, 0, 0], [10, 2, 5, 5, 0, 9], [9, 9, 0, 9, 9, 9]]
              .map(([total, reserved, held, buffer, capacityPressure, accountedPressure]) => {
                const watermark = total * 0.8;
                const numbers = { total, reserved, held, buffer, capacityPressure, accountedPressure, watermark };
                const pairs = Object.entries(numbers).map(([name, value]) => [name, [value, value]]);
                return barParts(Object.fromEntries(pairs), 0);
              })
              .filter((parts) => {
                const ends = [0, parts.firm, parts.buffer, parts.reserved, parts.refused, 1 + 1e-9];
                return !ends.every((end, index) => index === 0 || end >= ends[index - 1] - 1e-9);
              })
            """);
        assertThat(odd).isEmpty();
    }

    /** The value of an expression over the exports of a module. */
    private static JsonNode module(String name, String expression) {
        return page.observe("import('./assets/js/" + name + ".js').then((module) => { with (module) { return "
                + expression.strip() + "; } })");
    }
}
