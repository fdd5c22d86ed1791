package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The console without a mouse. */
class KeyboardTest extends BrowserTest {
    private static final String NAMELESS = """
        [...document.querySelectorAll('button, a, input, select, canvas[role=img], [role=grid], [tabindex]')]
          .filter((each) => !each.closest('[hidden], details:not([open]) > :not(summary)') && each.id !== 'page')
          .filter((each) => !(each.ariaLabel || each.innerText?.trim() || each.title || each.closest('label')))
          .map((each) => each.outerHTML)\
        """;

    @Test
    void goesFromPageToPage() {
        open("");
        page.press("g", "t").await("location.hash === '#/tap'");
        page.press("g", "c").await("location.hash === '#/config'");
        page.press("g", "o").await("location.hash === '#/'");
        page.press("x", "t").await("document.documentElement.dataset.theme === 'light'");
    }

    @Test
    void findsAVmByName() {
        open("");
        page.press("/").await("document.activeElement.matches('.search input')");
        page.type("feed").awaitText("#found", "default/feeds");
        page.screenshot("search");
        page.press("Enter").await("location.hash === '#/vm/default/feeds'");
        page.press("/").type("node-b").press("Enter").await("location.hash === '#/node/node-b'");
        page.press("/").type("nothing such").awaitText("#found", "No node or VM has this name");
        page.press("Escape").await("document.activeElement === document.body");
    }

    @Test
    void walksTheMap() {
        open("");
        focusMap();
        assertThat(spoken()).startsWith("Node node-a, 4 VMs: CPU 50");
        page.press("ArrowRight");
        assertThat(spoken()).startsWith("Node node-b");
        page.press("ArrowLeft", "ArrowDown");
        assertThat(spoken()).startsWith("VM default/catalog on node-a: size 1.75 / 7 GiB");
        page.press("ArrowRight");
        assertThat(spoken()).startsWith("VM default/encoder");
        page.press("Home");
        assertThat(spoken()).startsWith("Node node-a");
        page.press("End");
        assertThat(spoken()).startsWith("Node node-c").contains("pressure: VMs should leave it.");
        page.screenshot("map-cursor");

        page.press("Enter").await("location.hash === '#/node/node-c'");
    }

    @Test
    void showsTheFocus() {
        open("");
        page.press("Tab");
        assertThat(page.observe("document.activeElement.className").asText()).isEqualTo("skip");
        page.press("Tab");
        assertThat(page.observe("getComputedStyle(document.activeElement).outlineStyle")
                        .asText())
                .isEqualTo("solid");
        assertThat(page.observe("getComputedStyle(document.activeElement).outlineWidth")
                        .asText())
                .isEqualTo("2px");
    }

    @Test
    void listsItsKeys() {
        open("");
        page.press("?").awaitText("dialog.help", "find a node or VM");
        assertThat(page.text("dialog.help"))
                .contains("go to the tap", "map, nodes, VMs", "open the item at the cursor");
        page.screenshot("keys");
        page.press("?").await("!document.querySelector('dialog')");
    }

    @Test
    void everythingThatCanBePressedHasAName() {
        for (var hash : new String[] {
            "",
            "#/vm/default/feeds",
            "#/node/node-c",
            "#/pods",
            "#/pod/default/analytics-0",
            "#/tap",
            "#/cluster",
            "#/config"
        }) {
            if (page == null) {
                open(hash);
            } else {
                page.observe("location.hash = '" + hash + "'");
            }
            page.await("document.querySelector('#page').innerText.length > 100");
            var nameless = page.observe(NAMELESS);
            assertThat(nameless).as("without a name on %s", hash).isEmpty();
        }
    }

    private void focusMap() {
        page.await("document.querySelector('.map')")
                .observe("document.querySelector('.map').focus({focusVisible: true})");
        page.await("document.querySelector('#map-option').innerText.startsWith('Node')");
    }

    private String spoken() {
        return page.text("#map-option");
    }
}
