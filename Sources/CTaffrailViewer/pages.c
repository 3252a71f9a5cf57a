#include "taffrail_viewer.h"

// Compilers support #embed of C23 in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t alerts_js[] = {
#embed "pages/alerts.js"
};
static const uint8_t api_js[] = {
#embed "pages/api.js"
};
static const uint8_t bars_js[] = {
#embed "pages/bars.js"
};
static const uint8_t basemap_js[] = {
#embed "pages/basemap.js"
};
static const uint8_t charts_css[] = {
#embed "pages/charts.css"
};
static const uint8_t charts_js[] = {
#embed "pages/charts.js"
};
static const uint8_t colours_js[] = {
#embed "pages/colours.js"
};
static const uint8_t control_js[] = {
#embed "pages/control.js"
};
static const uint8_t controlpane_js[] = {
#embed "pages/controlpane.js"
};
static const uint8_t controls_css[] = {
#embed "pages/controls.css"
};
static const uint8_t cursor_js[] = {
#embed "pages/cursor.js"
};
static const uint8_t detail_js[] = {
#embed "pages/detail.js"
};
static const uint8_t devices_js[] = {
#embed "pages/devices.js"
};
static const uint8_t dialog_js[] = {
#embed "pages/dialog.js"
};
static const uint8_t dom_js[] = {
#embed "pages/dom.js"
};
static const uint8_t export_js[] = {
#embed "pages/export.js"
};
static const uint8_t facets_js[] = {
#embed "pages/facets.js"
};
static const uint8_t format_js[] = {
#embed "pages/format.js"
};
static const uint8_t geometry_js[] = {
#embed "pages/geometry.js"
};
static const uint8_t guidance_js[] = {
#embed "pages/guidance.js"
};
static const uint8_t history_js[] = {
#embed "pages/history.js"
};
static const uint8_t icon_svg[] = {
#embed "pages/icon.svg"
};
static const uint8_t identity_js[] = {
#embed "pages/identity.js"
};
static const uint8_t index_html[] = {
#embed "pages/index.html"
};
static const uint8_t journeys_js[] = {
#embed "pages/journeys.js"
};
static const uint8_t keys_js[] = {
#embed "pages/keys.js"
};
static const uint8_t layout_css[] = {
#embed "pages/layout.css"
};
static const uint8_t list_js[] = {
#embed "pages/list.js"
};
static const uint8_t live_js[] = {
#embed "pages/live.js"
};
static const uint8_t logs_css[] = {
#embed "pages/logs.css"
};
static const uint8_t logs_js[] = {
#embed "pages/logs.js"
};
static const uint8_t main_js[] = {
#embed "pages/main.js"
};
static const uint8_t map_css[] = {
#embed "pages/map.css"
};
static const uint8_t map_js[] = {
#embed "pages/map.js"
};
static const uint8_t options_js[] = {
#embed "pages/options.js"
};
static const uint8_t panes_css[] = {
#embed "pages/panes.css"
};
static const uint8_t places_js[] = {
#embed "pages/places.js"
};
static const uint8_t query_js[] = {
#embed "pages/query.js"
};
static const uint8_t records_js[] = {
#embed "pages/records.js"
};
static const uint8_t remote_js[] = {
#embed "pages/remote.js"
};
static const uint8_t route_js[] = {
#embed "pages/route.js"
};
static const uint8_t row_js[] = {
#embed "pages/row.js"
};
static const uint8_t scale_js[] = {
#embed "pages/scale.js"
};
static const uint8_t selection_js[] = {
#embed "pages/selection.js"
};
static const uint8_t theme_css[] = {
#embed "pages/theme.css"
};
static const uint8_t timeline_css[] = {
#embed "pages/timeline.css"
};
static const uint8_t timeline_js[] = {
#embed "pages/timeline.js"
};
static const uint8_t towns_js[] = {
#embed "pages/towns.js"
};
static const uint8_t tracks_js[] = {
#embed "pages/tracks.js"
};
static const uint8_t view_js[] = {
#embed "pages/view.js"
};
static const uint8_t whereabouts_js[] = {
#embed "pages/whereabouts.js"
};
static const uint8_t world_json[] = {
#embed "pages/world.json"
};

#define PAGE(name, bytes) {name, bytes, sizeof bytes}

static const taffrail_viewer_page pages[] = {
    PAGE("alerts.js", alerts_js),
    PAGE("api.js", api_js),
    PAGE("bars.js", bars_js),
    PAGE("basemap.js", basemap_js),
    PAGE("charts.css", charts_css),
    PAGE("charts.js", charts_js),
    PAGE("colours.js", colours_js),
    PAGE("control.js", control_js),
    PAGE("controlpane.js", controlpane_js),
    PAGE("controls.css", controls_css),
    PAGE("cursor.js", cursor_js),
    PAGE("detail.js", detail_js),
    PAGE("devices.js", devices_js),
    PAGE("dialog.js", dialog_js),
    PAGE("dom.js", dom_js),
    PAGE("export.js", export_js),
    PAGE("facets.js", facets_js),
    PAGE("format.js", format_js),
    PAGE("geometry.js", geometry_js),
    PAGE("guidance.js", guidance_js),
    PAGE("history.js", history_js),
    PAGE("icon.svg", icon_svg),
    PAGE("identity.js", identity_js),
    PAGE("index.html", index_html),
    PAGE("journeys.js", journeys_js),
    PAGE("keys.js", keys_js),
    PAGE("layout.css", layout_css),
    PAGE("list.js", list_js),
    PAGE("live.js", live_js),
    PAGE("logs.css", logs_css),
    PAGE("logs.js", logs_js),
    PAGE("main.js", main_js),
    PAGE("map.css", map_css),
    PAGE("map.js", map_js),
    PAGE("options.js", options_js),
    PAGE("panes.css", panes_css),
    PAGE("places.js", places_js),
    PAGE("query.js", query_js),
    PAGE("records.js", records_js),
    PAGE("remote.js", remote_js),
    PAGE("route.js", route_js),
    PAGE("row.js", row_js),
    PAGE("scale.js", scale_js),
    PAGE("selection.js", selection_js),
    PAGE("theme.css", theme_css),
    PAGE("timeline.css", timeline_css),
    PAGE("timeline.js", timeline_js),
    PAGE("towns.js", towns_js),
    PAGE("tracks.js", tracks_js),
    PAGE("view.js", view_js),
    PAGE("whereabouts.js", whereabouts_js),
    PAGE("world.json", world_json),
};

const taffrail_viewer_page *taffrail_viewer_pages(size_t *count) {
    *count = sizeof pages / sizeof *pages;
    return pages;
}
