package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.console.api.Pods;
import io.sluice.console.api.SyntheticDocuments;
import io.sluice.console.api.SyntheticFleet;
import org.junit.jupiter.api.Test;

/** The pages of the pods that wait for a node. */
class PodsPageTest extends BrowserTest {
    private static final String MARKUP = "<img src=x onerror=document.body.dataset.hit=1>";

    private void replying(String path, JsonNode reply) {
        var documents = new SyntheticDocuments(fleet);
        api.documents(address -> address.equals(path) ? reply : documents.apply(address));
    }

    @Test
    void listsThePodsThatWaitWithWhatTheyNeedAndWhy() {
        open("#/pods");
        page.awaitText(".pods", "default/analytics-0");

        assertThat(page.text(".detail-head")).contains("203 wait for a node", "4 arrived without a hold");
        assertThat(page.text(".pods .grid-space .grid-row:first-child"))
                .contains("default/analytics-0", "analytics", "1 min", "4 / 16 GiB", "30 short of CPU by 250m");
        assertThat(page.text(".panel")).contains("201 more wait");
        page.screenshot("pods-light").size(800, 1000).screenshot("pods-narrow");
    }

    @Test
    void isReachedByKeyboardAndOpensThePodAtTheCursor() {
        open("");
        page.press("g", "p").awaitText(".pods", "default/analytics-0");
        assertThat(page.text("nav [aria-current=page]")).isEqualTo("Pods");
        page.observe("document.querySelector('.pods .grid').focus()");
        page.press("Home", "Enter").await("location.hash === '#/pod/default/analytics-0'");
        page.awaitText(".obstacles", "not ready");
        assertThat(page.text("nav [aria-current=page]")).isEqualTo("Pods");
    }

    @Test
    void showsTheNodesByReasonAndFoldsMany() {
        open("#/pod/default/analytics-0");
        page.awaitText(".obstacles", "230 cannot take it: short of CPU by 250m or more in the ledger");
        page.awaitText(".reasons", "waits");

        assertThat(page.text(".now")).contains("waits for 1 min");
        assertThat(page.count(".obstacles details")).isEqualTo(3);
        assertThat(page.count(".obstacles details[open]")).isEqualTo(2);
        assertThat(page.text(".obstacles details:nth-of-type(3)")).containsPattern("node-b\\s+71");
        page.click(".obstacles summary").awaitText(".obstacles details:nth-of-type(1)", "and 200 more");
        assertThat(page.text(".obstacles details:nth-of-type(1)")).containsPattern("full-1\\s+500m\\s+0");
        assertThat(page.text(".side-column")).containsPattern("after overcommit\\s+4 / 16 GiB");
        page.screenshot("pod-light").dark().screenshot("pod-dark");
        assertThat(page.observe(ThemeTest.LOW_CONTRAST).toString()).isEqualTo("[]");
    }

    @Test
    void showsThatThePodsAreUnknown() {
        serve(SyntheticFleet.small());
        replying("/api/pods", Pods.list("").put("known", false).putNull("total").putNull("withoutHold"));
        page.go(server.url() + "#/pods");

        page.awaitText(".panel", "No process replies with the pods that wait.");
        assertThat(page.text(".detail-head")).isEqualTo("Pods");
    }

    @Test
    void showsMarkupAsText() {
        serve(SyntheticFleet.small());
        replying("/api/pods/default/analytics-0", Pods.one(MARKUP));
        page.go(server.url() + "#/pod/default/analytics-0");

        page.awaitText(".obstacles", MARKUP).awaitText(".now", MARKUP);
        assertThat(page.count("#page img")).isZero();
        assertThat(page.observe("document.body.dataset.hit").isMissingNode()).isTrue();
    }
}
