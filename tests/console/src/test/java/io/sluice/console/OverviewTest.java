package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.api.SyntheticFleet;
import org.junit.jupiter.api.Test;

/** The overview: what the strip, the map, the legend and the decisions show of a small fleet. */
class OverviewTest extends BrowserTest {
    /** A number that distinguishes drawings; 0 if nothing is drawn. */
    private static final String DRAWN = """
        (() => {
          const canvas = document.querySelector('canvas.%s');
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          let sum = 0;
          for (let i = 3; i < data.length; i += 4) sum += data[i] * ((i >> 2) %% 977 + 1);
          return sum;
        })()\
        """;

    @Test
    void showsTheFleetInNumbers() {
        open("");

        assertThat(page.text(".strip"))
                .containsPattern("nodes\\s+3")
                .containsPattern("under pressure\\s+1\\s+of 3")
                .containsPattern("VMs\\s+12\\s+8 waiting")
                .containsPattern("migrations\\s+1\\s+under way")
                .contains("17 of 28 cores", "68 GiB of 112 GiB");
        assertThat(page.text(".legend")).containsPattern("short of room\\s+1").containsPattern("at goal\\s+4");
        assertThat(page.observe(DRAWN.formatted("base")).asLong()).isPositive();
        page.screenshot("overview-light");
    }

    @Test
    void followsWhatChanges() {
        open("");
        var vm = fleet.vm("default/feeds");
        vm.waiting = "NOTHING";
        vm.size = 12;

        api.report(fleet.stir(0).set("vms", SyntheticFleet.JSON.arrayNode().add(vm.json())));

        page.await("/at goal\\s+5/.test(document.querySelector('.legend').innerText)");
        assertThat(page.text(".legend")).containsPattern("short of room\\s+0");
    }

    @Test
    void showsTheVmUnderThePointerAndOpensIt() {
        open("");
        page.await("document.querySelector('.map')")
                .observe("document.querySelector('.map').focus({focusVisible: true})");
        page.press("End", "ArrowRight", "ArrowDown").awaitText(".tip", "default/billing");
        // The tip is just below its VM.
        var tip = page.corner(".tip");
        page.observe("document.activeElement.blur()");

        page.point(tip[0] + 12, tip[1] - 16).awaitText(".tip", "default/billing");
        assertThat(page.text(".tip")).contains("at goal", "1.5", "6 GiB", "12 GiB");
        page.screenshot("overview-tip");
        page.press(tip[0] + 12, tip[1] - 16);

        page.await("location.hash === '#/vm/default/billing'");
    }

    @Test
    void drawsMigrationsAsMovement() {
        open("");
        page.await(DRAWN.formatted("above") + " > 0");
        var before = page.observe(DRAWN.formatted("above")).asLong();

        page.await(DRAWN.formatted("above") + " !== " + before);
    }

    @Test
    void keepsStillForUsersThatPreferNoMovement() {
        serve(SyntheticFleet.small());
        page.media("light", "reduce").go(server.url()).awaitFleet();

        page.await(DRAWN.formatted("above") + " > 0");
        var before = page.observe(DRAWN.formatted("above")).asLong();
        page.await("document.body.dataset.updates > "
                + (page.observe("document.body.dataset.updates").asInt() + 2));

        assertThat(before).isPositive();
        assertThat(page.observe(DRAWN.formatted("above")).asLong()).isEqualTo(before);
    }

    @Test
    void listsDecisionsNewestFirstAndFiltersThem() {
        open("");
        page.await("document.querySelectorAll('.decisions li').length > 20");
        var ages = page.observe("[...document.querySelectorAll('.decisions time')].map((time) => time.dateTime)");
        for (int i = 1; i < ages.size(); i++) {
            assertThat(ages.get(i).asText()).isLessThanOrEqualTo(ages.get(i - 1).asText());
        }
        assertThat(page.observe("document.querySelector('.decisions time').title")
                        .asText())
                .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} UTC.*");

        page.click(".chips button:nth-child(3)");
        page.await(
                "[...document.querySelectorAll('.decisions .badge')].every((badge) => badge.innerText === 'denied')");
        assertThat(page.count(".decisions li")).isPositive();
    }

    @Test
    void keepsTheListStillWhileAUserReadsIt() {
        open("");
        page.await("document.querySelectorAll('.decisions li').length > 20");
        var list = page.corner(".decisions ol");
        var first = page.text(".decisions li .reason");
        page.point(list[0] + 30, list[1] + 30);

        api.report(fleet.stir(3));

        page.awaitText(".newer", "3 newer");
        assertThat(page.text(".decisions li .reason")).isEqualTo(first);
        page.point(5, 5).await("document.querySelector('.newer').innerText === ''");
    }

    @Test
    void showsTheSameAsTables() {
        open("#/?view=vms");
        page.awaitText(".grid", "default/archive");
        assertThat(page.observe("document.querySelector('.grid').getAttribute('aria-rowcount')")
                        .asInt())
                .isEqualTo(13);
        assertThat(page.text(".grid-space .grid-row"))
                .as("the most urgent first")
                .contains("default/feeds", "room", "2.5 / 10 GiB", "4 / 16 GiB");
        page.screenshot("overview-vms");

        page.press("m", "m", "m").awaitText(".view[data-view=vms] .grid", "default/archive");
        page.press("m", "m").awaitText(".view[data-view=nodes] .grid", "node-c");
        assertThat(page.text(".grid")).contains("7.25 of 8 cores", "pressure");
        page.screenshot("overview-nodes");
    }

    @Test
    void standsOnANarrowScreen() {
        serve(SyntheticFleet.small());
        page.size(800, 1000).go(server.url()).awaitFleet();

        assertThat(page.observe("document.documentElement.scrollWidth").asInt()).isEqualTo(800);
        page.screenshot("overview-narrow");
    }
}
